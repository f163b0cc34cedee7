"""Owns the tables between a database and the bus: outbox, inbox and the relay's memory of how far it is."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    DateTime,
    Identity,
    Index,
    MetaData,
    Table,
    Text,
    Uuid,
    delete,
    insert,
    select,
    text,
    tuple_,
)

from shared.bus.positions import Position
from shared.storage.ids import new_id

TIME = DateTime(timezone=True)
FORGET_BATCH = 1_000
# A stream id is text like 1700000000000-12, whose order is not that of its letters.
POSITION_SQL = "(split_part(stream_id, '-', 1)::bigint, split_part(stream_id, '-', 2)::bigint)"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened, to be published: its event type, whom it is about, and the event's data."""

    type: str
    subject: str
    data: dict[str, Any]
    traceparent: str | None = None
    event_id: UUID = field(default_factory=new_id)
    occurred_at: datetime = field(default_factory=lambda: datetime.now(UTC))


def outbox_table(metadata: MetaData) -> Table:
    """Events by the transaction that made them true; `published_at` null until they are on the stream."""
    return Table(
        "outbox",
        metadata,
        Column("id", BigInteger, Identity(always=True), primary_key=True),
        Column("event_id", Uuid, nullable=False, unique=True),
        Column("type", Text, nullable=False),
        Column("subject", Text, nullable=False),
        Column("data", JSON, nullable=False),
        Column("traceparent", Text),
        Column("occurred_at", TIME, nullable=False),
        Column("published_at", TIME),
        Column("stream_id", Text),
        Index("outbox_unpublished", "id", postgresql_where=text("published_at IS NULL")),
        Index("outbox_published", "published_at", postgresql_where=text("published_at IS NOT NULL")),
    )


def inbox_table(metadata: MetaData) -> Table:
    """Which consumer has had which event; written in the same transaction as the event's effect."""
    return Table(
        "inbox",
        metadata,
        Column("consumer", Text, primary_key=True),
        Column("event_id", Uuid, primary_key=True),
        Column("handled_at", TIME, nullable=False, server_default=text("now()")),
        Index("inbox_by_time", "handled_at"),
    )


def relay_table(metadata: MetaData) -> Table:
    """Per stream: the last id the relay knows of, and below which id every group has confirmed."""
    return Table(
        "relay",
        metadata,
        Column("stream", Text, primary_key=True),
        Column("last_stream_id", Text, nullable=False, server_default="0-0"),
        Column("confirmed_below", Text, nullable=False, server_default="0-0"),
    )


def append(connection: Connection, outbox: Table, facts: Iterable[Fact]) -> None:
    """Write `facts` into the outbox in the caller's transaction, in their order."""
    rows = [
        {
            "event_id": fact.event_id,
            "type": fact.type,
            "subject": fact.subject,
            "data": fact.data,
            "traceparent": fact.traceparent,
            "occurred_at": fact.occurred_at,
        }
        for fact in facts
    ]
    if rows:
        connection.execute(insert(outbox), rows)


def republish(connection: Connection, since: datetime) -> int:
    """Have the relay publish every event that occurred at or after `since` again; returns how many.

    Consumers that have handled an event know it by their inbox and do nothing.
    """
    statement = text(
        "UPDATE outbox SET published_at = NULL, stream_id = NULL"
        " WHERE published_at IS NOT NULL AND occurred_at >= :since"
    )
    return connection.execute(statement, {"since": since}).rowcount


def forget_confirmed(connection: Connection, stream: str, before: datetime) -> int:
    """Delete at most `FORGET_BATCH` events published before `before` that every group has confirmed.

    Returns how many; call it again, in a transaction of its own, while that is `FORGET_BATCH`. They can no
    longer be published again: choose `before` by how far back that shall be possible.
    """
    confirmed = Position.parse(
        connection.execute(
            text("SELECT confirmed_below FROM relay WHERE stream = :stream"), {"stream": stream}
        ).scalar_one_or_none()
    )
    statement = text(
        "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox"  # noqa: S608 (a constant of this module)
        f" WHERE published_at < :before AND {POSITION_SQL} < (:ms, :seq) ORDER BY published_at LIMIT :batch)"
    )
    values = {"before": before, "batch": FORGET_BATCH, **confirmed._asdict()}
    return connection.execute(statement, values).rowcount


def forget_handled(connection: Connection, inbox: Table, before: datetime) -> int:
    """Delete at most `FORGET_BATCH` inbox records older than `before`; returns how many, see above.

    Choose `before` well ahead of what is left in the outbox: without its record an event would be handled
    again.
    """
    old = select(inbox.c.consumer, inbox.c.event_id).where(inbox.c.handled_at < before).limit(FORGET_BATCH)
    key = tuple_(inbox.c.consumer, inbox.c.event_id)
    return connection.execute(delete(inbox).where(key.in_(old))).rowcount
