"""The sweep: games that were in the bin for long, and those of deleted accounts, are gone for good."""

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from sqlalchemy import Connection, Engine, delete, or_, select

from services.sessions.adapters.tables import ended_sign_ins, entries, games, inbox, outbox, people, seats
from shared.bus.outbox import Fact, append, forget_confirmed, forget_handled

BIN_KEPT = timedelta(days=30)
EVENTS_KEPT = timedelta(days=30)
TOKENS_LIVE = timedelta(days=1)  # longer than any access token does
BATCH = 100
STREAM = "sessions.events"
log = structlog.get_logger(__name__)


def sweep(engine: Engine, now: datetime, bin_kept: timedelta = BIN_KEPT) -> int:
    """Purge what is due at `now`, a batch of games per transaction; returns how many games went.

    Safe to run again, and twice at once: what one run has locked another leaves alone. `engine` is the one
    whose role may delete.
    """
    purged = 0
    while True:
        with engine.begin() as connection:
            due = _due(connection, now - bin_kept)
            if due:
                _purge(connection, due, now)
        purged += len(due)
        if len(due) < BATCH:
            break
    with engine.begin() as connection:
        forget_confirmed(connection, STREAM, now - EVENTS_KEPT)
        connection.execute(delete(ended_sign_ins).where(ended_sign_ins.c.ended_at < now - TOKENS_LIVE))
        forget_handled(connection, inbox, now - 2 * EVENTS_KEPT)
    log.info("swept", games=purged)
    return purged


def _due(connection: Connection, binned_before: datetime) -> list[UUID]:
    deleted = select(people.c.account_id).where(people.c.deleted_at.is_not(None))
    return list(
        connection.execute(
            select(games.c.id)
            .where(or_(games.c.binned_at < binned_before, games.c.account_id.in_(deleted)))
            .order_by(games.c.id)
            .limit(BATCH)
            .with_for_update(skip_locked=True)
        ).scalars()
    )


def _purge(connection: Connection, due: list[UUID], now: datetime) -> None:
    connection.execute(delete(outbox).where(outbox.c.subject.in_([str(game_id) for game_id in due])))
    for table in (entries, seats):
        connection.execute(delete(table).where(table.c.game_id.in_(due)))
    connection.execute(delete(games).where(games.c.id.in_(due)))
    append(
        connection,
        outbox,
        [
            Fact("sessions.game.purged", str(game_id), {"game_id": str(game_id)}, occurred_at=now)
            for game_id in due
        ],
    )
