"""Owns telling listeners who else has their game open, here and in other live processes.

Each process keeps its part of a game's list in a field of one hash in Redis and says so on a channel. While
Redis is away everybody sees at least those of the own process.
"""

import asyncio
from collections.abc import Iterable
from time import time

import structlog
from redis.exceptions import RedisError

from gateway.live import attendance, frames
from gateway.live.attendance import Devices
from gateway.live.hall import Hall
from gateway.live.redis_client import Client, open_client
from shared.bus.backoff import Backoff

CHANNEL = "live.presence"
REFRESH_S = 10.0
BELIEVED_S = 25.0
GATHER_S = 0.05
BATCH = 200
GOODBYE_S = 0.5
log = structlog.get_logger(__name__)


class Presence:
    """Speaks for the process `name` about the listeners in `hall`."""

    def __init__(self, redis_url: str, hall: Hall, name: str) -> None:
        self._redis = open_client(redis_url)
        self._hall = hall
        self._name = name
        self._changed: set[str] = set()
        self._heard: set[str] = set()
        self._shown: dict[str, Devices] = {}
        self._news = asyncio.Event()

    def changed(self, game_id: str) -> None:
        """Somebody here has come or gone."""
        self._changed.add(game_id)
        self._news.set()

    async def run(self) -> None:
        """Tell what changes, and everything anew from time to time, until cancelled."""
        loop = asyncio.get_running_loop()
        refresh_at = loop.time() + REFRESH_S
        while True:
            try:
                async with asyncio.timeout_at(refresh_at):
                    await self._news.wait()
            except TimeoutError:
                self._heard.update(self._hall.games)
                refresh_at = loop.time() + REFRESH_S
            # A group that comes together is told about at once and not one by one.
            await asyncio.sleep(GATHER_S)
            self._news.clear()
            changed, heard = self._changed, self._heard
            self._changed, self._heard = set(), set()
            for games in _batches(changed | heard):
                await self._tell(games, changed)

    async def listen(self) -> None:
        """Hear what other processes say, until cancelled."""
        backoff = Backoff()
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    while True:
                        message = await channel.get_message(timeout=REFRESH_S)
                        backoff.reset()
                        if message is not None:
                            self._hear(message["data"].decode())
            except (RedisError, OSError):
                await asyncio.sleep(backoff.next_s())

    async def close(self) -> None:
        """Take what this process has left in Redis away."""
        games = set(self._shown)
        try:
            async with asyncio.timeout(GOODBYE_S):
                for batch in _batches(games):
                    await self._exchange(batch, games)
                await self._redis.aclose()
        except (RedisError, OSError) as error:
            log.info("presence_left_behind", error=type(error).__name__)

    async def ping(self) -> bool:
        """Whether Redis answers."""
        try:
            return bool(await self._redis.ping())
        except (RedisError, OSError):
            return False

    def _hear(self, message: str) -> None:
        name, _, game_id = message.partition(" ")
        if name != self._name and game_id in self._shown:
            self._heard.add(game_id)
            self._news.set()

    async def _tell(self, games: list[str], changed: set[str]) -> None:
        try:
            others = await self._exchange(games, changed)
        except (RedisError, OSError):
            others = {}
        for game_id in games:
            devices = attendance.merged([self._here(game_id), *others.get(game_id, ())])
            self._show(game_id, devices, is_new=game_id in changed)

    def _show(self, game_id: str, devices: Devices, *, is_new: bool) -> None:
        listeners = self._hall.listeners(game_id)
        if not listeners:
            self._shown.pop(game_id, None)
        elif is_new or self._shown.get(game_id) != devices:
            self._shown[game_id] = devices
            frame = frames.presence(devices)
            for listener in listeners:
                listener.show(frame)

    async def _exchange(self, games: list[str], changed: set[str]) -> dict[str, list[Devices]]:
        """Leave this process' lists in Redis and bring those of the others; raises as redis-py does."""
        now_s = time()
        async with self._redis.pipeline(transaction=False) as commands:
            for game_id in games:
                self._leave(commands, game_id, now_s)
                if game_id in changed:
                    commands.publish(CHANNEL, f"{self._name} {game_id}")
                commands.hgetall(_key(game_id))
            replies = await commands.execute()
        found = [reply for reply in replies if isinstance(reply, dict)]
        return {game_id: self._others(reply, now_s) for game_id, reply in zip(games, found, strict=True)}

    def _leave(self, commands: Client, game_id: str, now_s: float) -> None:
        key = _key(game_id)
        if devices := self._here(game_id):
            commands.hset(key, self._name, attendance.packed(devices, now_s + BELIEVED_S))
            commands.expire(key, int(BELIEVED_S))
        else:
            commands.hdel(key, self._name)

    def _others(self, reply: dict[bytes, bytes], now_s: float) -> list[Devices]:
        found = [
            attendance.unpacked(text, now_s) for name, text in reply.items() if name.decode() != self._name
        ]
        return [devices for devices in found if devices is not None]

    def _here(self, game_id: str) -> Devices:
        return attendance.of(listener.holder for listener in self._hall.listeners(game_id))


def _key(game_id: str) -> str:
    return f"live.presence.{game_id}"


def _batches(games: Iterable[str]) -> Iterable[list[str]]:
    ordered = list(games)
    return [ordered[start : start + BATCH] for start in range(0, len(ordered), BATCH)]
