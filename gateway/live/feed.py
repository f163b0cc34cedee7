"""Owns reading `sessions.events`: every event once, and word when that cannot be promised.

There is no group: what a live process misses it gets from the log. So each doubt ends the same way: start
again at the stream's end, and have everybody read the log from where they are.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from time import monotonic

import structlog
from redis.exceptions import RedisError, ResponseError

from gateway.live import metrics
from gateway.live.redis_client import open_client
from gateway.live.tally import Tally
from shared.bus.backoff import Backoff
from shared.bus.dead_letters import EVENT, ONLY
from shared.bus.events import Event, MalformedEvent
from shared.bus.groups import NO_KEY
from shared.bus.positions import START, Position

STREAM = "sessions.events"
BLOCK_S = 0.5
CHECK_EVERY_S = 1.0
BATCH = 500

Entries = list[tuple[bytes, Mapping[bytes, bytes]]]
log = structlog.get_logger(__name__)


class Feed:
    """`tell` gets each event; `doubt` is called when some may have been missed, and once at the start."""

    def __init__(self, redis_url: str, tell: Callable[[Event], None], doubt: Callable[[], None]) -> None:
        self.is_following = False
        self._redis = open_client(redis_url, BLOCK_S)
        self._tell = tell
        self._doubt = doubt

    async def run(self) -> None:
        """Read until cancelled; Redis may come and go."""
        backoff = Backoff()
        try:
            while True:
                try:
                    await self._follow(backoff)
                except (RedisError, OSError) as error:
                    log.warning("feed_without_redis", error=type(error).__name__)
                    await self._redis.connection_pool.disconnect()
                    await asyncio.sleep(backoff.next_s())
                finally:
                    self.is_following = False
        finally:
            await self._redis.aclose()

    async def _follow(self, backoff: Backoff) -> None:
        """Read from the stream's end on, until the books do not agree."""
        last, added, _ = await self._look(None)
        tally = Tally(last, added)
        metrics.RESYNCS.inc()
        self._doubt()
        self.is_following = True
        backoff.reset()
        checked_at = monotonic()
        while True:
            found = await self._redis.xread({STREAM: str(tally.position)}, BATCH, int(BLOCK_S * 1000))
            self._take(tally, found.get(STREAM.encode(), ()))
            if monotonic() - checked_at < CHECK_EVERY_S:
                continue
            last, added, entries = await self._look(tally.position)
            self._take(tally, entries)
            if len(entries) < BATCH:
                if not tally.agrees(last, added):
                    log.warning("stream_doubted", seen=str(tally.position), found=str(last))
                    return
                checked_at = monotonic()

    async def _look(self, after: Position | None) -> tuple[Position, int, Entries]:
        """The stream's last id, how many entries it was ever given, and those `after`, at one moment."""
        async with self._redis.pipeline(transaction=True) as both:
            if after is not None:
                both.xread({STREAM: str(after)}, BATCH)
            both.xinfo_stream(STREAM)
            *found, info = await both.execute(raise_on_error=False)
        if isinstance(info, ResponseError) and str(info) == NO_KEY:
            return START, 0, []
        for reply in (*found, info):
            if isinstance(reply, RedisError):
                raise reply
        entries = found[0].get(STREAM.encode(), ()) if found else ()
        return Position.parse(info["last-generated-id"]), info["entries-added"], list(entries)

    def _take(self, tally: Tally, entries: Iterable[tuple[bytes, Mapping[bytes, bytes]]]) -> None:
        for entry_id, fields in entries:
            tally.see(Position.parse(entry_id))
            if ONLY in fields:
                continue
            try:
                event = Event.from_json(fields.get(EVENT, b""))
            except MalformedEvent as error:
                log.warning("event_malformed", entry_id=entry_id.decode(), error=str(error))
            else:
                self._tell(event)
