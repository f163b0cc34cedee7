"""Owns putting the outbox on its stream: in the order of the outbox, each event once, whatever breaks.

The relay remembers, in the database, the last id its stream has given out. The stream is watched while it is
compared with that memory and added to in one transaction, so that three cases are told apart:
equal: nothing has happened to the stream, the batch goes on it;
ahead: something was added that the database does not know of (a relay that died before it could mark, or
whose answer was lost, or a replayed dead letter): the entries are read and their events marked;
behind or missing: the stream was lost (flush, failover, lost tail): what some group had not confirmed is
published again.
"""

from uuid import UUID

import structlog
from orjson import Fragment
from redis.exceptions import WatchError
from sqlalchemy import Connection, Row, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger, Text, Uuid

from shared.bus.connections import Client
from shared.bus.dead_letters import EVENT, ONLY
from shared.bus.events import Event, MalformedEvent, envelope
from shared.bus.groups import ensure_groups, glance
from shared.bus.metrics import LOST_STREAMS, PUBLISHED
from shared.bus.outbox import POSITION_SQL
from shared.bus.positions import Position
from shared.bus.route import Route

log = structlog.get_logger(__name__)

PAGE = 500

_RECALL = text(
    "INSERT INTO relay (stream) VALUES (:stream) ON CONFLICT (stream) DO UPDATE SET stream = excluded.stream"
    " RETURNING last_stream_id"
)
# Never `id > last`: ids are taken before their transactions commit, in another order than they do.
_WAITING = text(
    "SELECT id, event_id, type, subject, CAST(data AS text) AS data, traceparent, occurred_at FROM outbox"
    " WHERE published_at IS NULL ORDER BY id LIMIT :limit"
)
_MARK = text(
    "WITH marked AS (UPDATE outbox SET published_at = now(), stream_id = added.stream_id"
    "  FROM unnest(:ids, :stream_ids) AS added (id, stream_id) WHERE outbox.id = added.id)"
    " UPDATE relay SET last_stream_id = :last WHERE stream = :stream"
).bindparams(bindparam("ids", type_=ARRAY(BigInteger)), bindparam("stream_ids", type_=ARRAY(Text)))
_MARK_FOUND = text(
    "WITH marked AS (UPDATE outbox SET published_at = now(), stream_id = found.stream_id"
    "  FROM unnest(:event_ids, :stream_ids) AS found (event_id, stream_id)"
    "  WHERE outbox.event_id = found.event_id AND published_at IS NULL)"
    " UPDATE relay SET last_stream_id = :last WHERE stream = :stream"
).bindparams(bindparam("event_ids", type_=ARRAY(Uuid)), bindparam("stream_ids", type_=ARRAY(Text)))
_CONFIRMED = text("SELECT confirmed_below FROM relay WHERE stream = :stream")
_PUBLISH_AGAIN = text(
    "UPDATE outbox SET published_at = NULL, stream_id = NULL"  # noqa: S608 (a constant of this package)
    f" WHERE published_at IS NOT NULL AND {POSITION_SQL} >= (:ms, :seq)"
)


class Publisher:
    """Publishes over the connection of the leading relay; raises as SQLAlchemy and redis-py do."""

    def __init__(self, connection: Connection, redis: Client, route: Route) -> None:
        self._connection = connection
        self._redis = redis
        self._route = route
        self._stream = route.stream
        self._was_full = False
        self._allowed = route.max_entries
        self._last = Position.parse(connection.execute(_RECALL, {"stream": route.stream}).scalar_one())

    def publish(self) -> bool:
        """Publish one batch; whether there may be more to do at once."""
        rows = self._connection.execute(_WAITING, {"limit": self._route.batch}).all()
        if not rows:
            return False
        stream_ids = self._add([self._entry(row) for row in rows])
        if not stream_ids:
            return stream_ids is None
        self._last = Position.parse(stream_ids[-1])
        self._connection.execute(
            _MARK, {"ids": [row.id for row in rows], "stream_ids": stream_ids, **self._memory()}
        )
        PUBLISHED.labels(self._stream).inc(len(rows))
        return len(rows) == self._route.batch

    def allow(self, entries: int) -> None:
        """Take the stream for full at so many entries."""
        self._allowed = entries

    def check(self) -> Position:
        """Notice a lost stream although there is nothing to publish; the last id that is known of."""
        self._settle(glance(self._redis, self._stream)[0])
        return self._last

    def _add(self, entries: list[bytes]) -> list[str] | None:
        """Put all or none of `entries` on the stream; None where something had to be settled first.

        An empty list means that the stream is full: some group is far behind. What memory it would take is
        better left to the requests of the services; the outbox keeps the events meanwhile.
        """
        try:
            with self._redis.pipeline() as pipeline:
                pipeline.watch(self._stream)
                found, length = glance(pipeline, self._stream)
                if self._settle(found):
                    return None
                if self._is_full(length + len(entries)):
                    return []
                pipeline.multi()
                for entry in entries:
                    pipeline.xadd(self._stream, {EVENT: entry})
                return [stream_id.decode() for stream_id in pipeline.execute()]
        except WatchError:
            # Somebody else has added or flushed; or the connection broke, and the next comparison will tell.
            return None

    def _is_full(self, length: int) -> bool:
        is_full = length > self._allowed
        if is_full and not self._was_full:
            log.error("stream_full", stream=self._stream, entries=self._allowed)
        self._was_full = is_full
        return is_full

    def _entry(self, row: Row[tuple[object, ...]]) -> bytes:
        return envelope(
            str(row.event_id),
            row.type,
            self._route.source,
            row.subject,
            row.occurred_at,
            Fragment(row.data),
            row.traceparent,
        )

    def _settle(self, found: Position) -> bool:
        """Bring the database in line with a stream whose last id is `found`; whether that was needed."""
        if found == self._last:
            return False
        if found > self._last:
            self._mark_found()
        else:
            self._publish_again(found)
        return True

    def _mark_found(self) -> None:
        while entries := self._redis.xrange(self._stream, min=f"({self._last}", count=PAGE):
            known = [
                (event_id, entry_id.decode()) for entry_id, fields in entries if (event_id := _told(fields))
            ]
            self._last = Position.parse(entries[-1][0])
            self._connection.execute(
                _MARK_FOUND,
                {
                    "event_ids": [event_id for event_id, _ in known],
                    "stream_ids": [stream_id for _, stream_id in known],
                    **self._memory(),
                },
            )

    def _publish_again(self, found: Position) -> None:
        """Un-mark what the stream has lost; the ordinary way then publishes it.

        Entries up to `found` are still there. The stream goes on from the id remembered, so that positions
        only ever grow and what groups have confirmed stays confirmed.
        """
        ensure_groups(self._redis, self._stream, self._route.groups)
        confirmed = Position.parse(
            self._connection.execute(_CONFIRMED, {"stream": self._stream}).scalar_one()
        )
        lost = self._connection.execute(_PUBLISH_AGAIN, max(confirmed, found.next)._asdict()).rowcount
        self._redis.execute_command("XSETID", self._stream, str(self._last))
        LOST_STREAMS.labels(self._stream).inc()
        log.error(
            "stream_lost", stream=self._stream, remembered=str(self._last), found=str(found), again=lost
        )

    def _memory(self) -> dict[str, str]:
        return {"last": str(self._last), "stream": self._stream}


def _told(fields: dict[bytes, bytes]) -> UUID | None:
    """The id of the event that an entry tells to all groups."""
    try:
        return None if ONLY in fields else Event.from_json(fields.get(EVENT, b"")).id
    except MalformedEvent:
        return None
