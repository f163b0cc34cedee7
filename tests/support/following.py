"""A reader of sessions.events that misses nothing, and the comparison of what it has read with the logs."""

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import redis

from shared.bus.connections import Connections
from tests.support.api import Json
from tests.support.waiting import until

STREAM = "sessions.events"
BLOCK_S = 0.5
PAUSE_S = 0.1


class Follower:
    """Reads in a group of its own, so that the relay keeps, and publishes again, what it has not had."""

    def __init__(self, redis_url: str, group: str = "follower") -> None:
        self.events: dict[str, Json] = {}
        self._connections = Connections(redis_url, BLOCK_S)
        self._group = group
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Follower":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(30)
        self._connections.commands.xgroup_destroy(STREAM, self._group)
        self._connections.close()

    def wait_for(self, logs: Mapping[str, Sequence[Json]], timeout_s: float = 60.0) -> None:
        """Wait until every entry of `logs` (by game) has been told, and check how it was."""
        until(lambda: not self._missing(logs), timeout_s, "every entry of every log is published")
        for game_id, log in logs.items():
            tellings = self.tellings(game_id)
            assert set(tellings) == set(range(1, len(log) + 1)), "nothing that is not in the log"
            assert all(len(events) == 1 for events in tellings.values()), "one event for each entry"
            assert list(tellings) == sorted(tellings), "in order"

    def tellings(self, game_id: str) -> dict[int, set[str]]:
        """By seq, in the order in which they first came: the ids of the events that tell of the entry."""
        found: dict[int, set[str]] = defaultdict(set)
        for event_id, event in list(self.events.items()):
            if event["subject"] == game_id and event["type"] == "sessions.game.advanced":
                for entry in event["data"]["entries"]:
                    found[entry["seq"]].add(event_id)
        return found

    def _missing(self, logs: Mapping[str, Sequence[Json]]) -> bool:
        return any(len(self.tellings(game_id)) < len(log) for game_id, log in logs.items())

    def _run(self) -> None:
        start = "0"
        while not self._stop.is_set():
            try:
                start = self._read(start)
            except redis.ResponseError as error:
                if not str(error).startswith(("NOGROUP", "UNBLOCKED")):
                    raise
                self._make_group()
            except (redis.RedisError, OSError):
                self._connections.close()
                self._stop.wait(PAUSE_S)
                start = "0"

    def _read(self, start: str) -> str:
        """Its own unconfirmed entries first, then new ones."""
        found: Any = self._connections.blocking.xreadgroup(
            self._group, "one", {STREAM: start}, count=100, block=int(BLOCK_S * 1000)
        )
        entries = found.get(STREAM.encode(), []) if found else []
        for _, fields in entries:
            event = orjson.loads(fields[b"event"])
            self.events.setdefault(event["id"], event)
        if entries:
            self._connections.commands.xack(STREAM, self._group, *[entry_id for entry_id, _ in entries])
        return start if entries and start == "0" else ">"

    def _make_group(self) -> None:
        try:
            self._connections.commands.xgroup_create(STREAM, self._group, id="0", mkstream=True)
        except redis.RedisError:
            self._stop.wait(PAUSE_S)
