"""The sweep: games long in the bin, and those that no account has any more, are gone for good."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from sqlalchemy import Connection, Engine, Select, delete, not_, or_, select

from services.sessions.adapters import due_store, share_store
from services.sessions.adapters.tables import (
    branches,
    conflicts,
    ended_sign_ins,
    entries,
    games,
    guests,
    inbox,
    invitations,
    outbox,
    parked,
    people,
    seats,
    shares,
)
from shared.bus.outbox import FORGET_BATCH, Fact, append, forget_confirmed, forget_handled

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
    for due in (_long_in_bin(now - bin_kept), _orphaned()):
        purged += _until_few(engine, partial(_purge, which=due, now=now), BATCH)
    _until_few(engine, lambda it: forget_confirmed(it, STREAM, now - EVENTS_KEPT), FORGET_BATCH)
    _until_few(engine, lambda it: forget_handled(it, inbox, now - 2 * EVENTS_KEPT), FORGET_BATCH)
    with engine.begin() as connection:
        connection.execute(delete(ended_sign_ins).where(ended_sign_ins.c.ended_at < now - TOKENS_LIVE))
    log.info("swept", games=purged)
    return purged


def _until_few(engine: Engine, once: Callable[[Connection], int], batch: int) -> int:
    """Do `once`, each time in a transaction of its own, until it does less than `batch`; the sum."""
    total = 0
    while True:
        with engine.begin() as connection:
            done = once(connection)
        total += done
        if done < batch:
            return total


def _long_in_bin(before: datetime) -> Select[Any]:
    return select(games.c.id).where(games.c.binned_at < before)


def _orphaned() -> Select[Any]:
    """Games of deleted accounts that nobody else has; nobody has one that its owner put into the bin."""
    deleted = select(people.c.account_id).where(people.c.deleted_at.is_not(None))
    is_to_go = or_(games.c.binned_at.is_not(None), not_(share_store.of_game(games.c.id)))
    return select(games.c.id).where(games.c.account_id.in_(deleted), is_to_go)


def _purge(connection: Connection, *, which: Select[Any], now: datetime) -> int:
    found = list(connection.execute(which.limit(BATCH).with_for_update(of=games, skip_locked=True)).scalars())
    # Looked at again now that they are held: one may have been shared just before.
    due = list(connection.execute(which.where(games.c.id.in_(found))).scalars())
    if not due:
        return 0
    due_store.note(connection, games.c.id.in_(due))
    invited = connection.execute(select(invitations.c.id).where(invitations.c.game_id.in_(due))).scalars()
    subjects = [str(subject) for subject in (*due, *invited)]
    connection.execute(delete(outbox).where(outbox.c.subject.in_(subjects)))
    for table in (parked, conflicts, branches, guests, shares, invitations, entries, seats):
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
    return len(due)
