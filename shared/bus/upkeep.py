"""Owns the upkeep of a stream: its groups exist, what all have confirmed is trimmed, all is measured."""

import structlog
from sqlalchemy import Connection, text

from shared.bus.connections import Client
from shared.bus.dead_letters import dead_stream
from shared.bus.groups import Survey, ensure_groups, survey
from shared.bus.metrics import (
    DEAD_LETTERS,
    LAG,
    OUTBOX_AGE_SECONDS,
    OUTBOX_SIZE,
    PENDING,
    PENDING_AGE_SECONDS,
)
from shared.bus.positions import Position
from shared.bus.route import Route

log = structlog.get_logger(__name__)

_REMEMBER = text(
    "UPDATE relay SET confirmed_below = :confirmed WHERE stream = :stream AND confirmed_below <> :confirmed"
)
_WAITING = text(
    "SELECT count(*), coalesce(extract(epoch FROM now() - min(occurred_at)), 0) FROM outbox"
    " WHERE published_at IS NULL"
)


class Upkeep:
    """One round after another by the leading relay."""

    def __init__(self, connection: Connection, redis: Client, route: Route) -> None:
        self._connection = connection
        self._redis = redis
        self._route = route
        self._stream = route.stream

    def run(self, last: Position) -> int:
        """One round, `last` being the last id the relay knows of; how many entries the stream may hold."""
        for group in ensure_groups(self._redis, self._stream, self._route.groups):
            log.warning("group_created", stream=self._stream, group=group)
        found = survey(self._redis, self._stream)
        if found.top < last:
            return self._route.max_entries  # lost this very moment: what new groups confirmed means nothing
        self._connection.execute(_REMEMBER, {"stream": self._stream, "confirmed": str(found.confirmed_below)})
        allowed = self._allowed(found.length)
        needless_below = self._needless_below(found, allowed)
        self._redis.xtrim(self._stream, minid=str(needless_below), approximate=False)
        self._measure(found)
        return allowed

    def _allowed(self, length: int) -> int:
        """How many entries of their present size may be there: a long batch is an event of many kilobytes."""
        taken: int | None = self._redis.memory_usage(self._stream, samples=10)
        if not length or not taken:
            return self._route.max_entries
        return min(self._route.max_entries, max(1, self._route.max_bytes * length // taken))

    def _needless_below(self, found: Survey, allowed: int) -> Position:
        """Below this entries may go. Every group counts, declared or not: none loses what it has not had."""
        if found.length > allowed // 2:
            return found.confirmed_below
        return min(found.confirmed_below, Position(found.now_ms - int(self._route.keep_s * 1000), 0))

    def _measure(self, found: Survey) -> None:
        for group in found.groups:
            labels = (self._stream, group.group)
            PENDING.labels(*labels).set(group.pending)
            age_s = (found.now_ms - group.oldest.ms) / 1000 if group.oldest else 0
            PENDING_AGE_SECONDS.labels(*labels).set(max(0.0, age_s))
            if group.lag is not None:
                LAG.labels(*labels).set(group.lag)
            DEAD_LETTERS.labels(*labels).set(self._redis.xlen(dead_stream(*labels)))
        waiting, age_s = self._connection.execute(_WAITING).one()
        OUTBOX_SIZE.labels(self._stream).set(waiting)
        OUTBOX_AGE_SECONDS.labels(self._stream).set(float(age_s))
