"""Devices that record on their own and bring it in later, each in a process of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import select

from services.sessions.adapters import branch_store
from services.sessions.adapters.rules import Rules
from services.sessions.adapters.tables import branches as stored
from services.sessions.application.branching import Branching
from services.sessions.application.play import Play, Sender, Sent
from services.sessions.application.recording import Recorder
from services.sessions.application.sync import Sync, Synced
from services.sessions.domain.branch import Branch
from services.sessions.domain.log import By
from shared.contracts.actions import normal, parse_time
from tests.integration.sessions.world import Table, World
from tests.support.api import Json


def syncing(world: World, rules: Rules | None = None) -> Sync:
    """Another one is another process: it shares no lock with the first."""
    recorder = Recorder(world.statements, world.web, rules or world.rules)
    return Sync(recorder, Play(recorder), Branching(world.web, world.statements))


@dataclass(slots=True)
class Device:
    """A device at a game, its owner's or a guest's; it remembers what it recorded since `base`."""

    table: Table
    name: str = "cellar phone"
    guest_id: UUID | None = None
    base: int = 0
    story: list[Json] = field(default_factory=list)

    def sync(self, *more: Json, process: Sync | None = None) -> Synced:
        """Record `more` and send all of it."""
        self.story += more
        return self.send(self.story, process)

    def send(self, actions: Sequence[Json], process: Sync | None = None) -> Synced:
        by = By(None if self.guest_id else self.table.account_id, self.guest_id, self.name)
        sender = Sender(self.table.account_id, by, is_owner=self.guest_id is None)
        sent = [Sent(normal(it), parse_time(it.get("at"))) for it in actions]
        return (process or syncing(self.table.world)).bring(sender, self.table.id, self.base, sent)


def told(synced: Synced) -> list[Any]:
    """Each outcome in short: its verdict, or the code that it was refused with."""
    return [outcome.get("code", outcome["verdict"]) for outcome in synced.outcomes]


def branches(table: Table) -> list[Branch]:
    """The branches that are kept of a game."""
    with table.world.statements.connect() as connection:
        rows = connection.execute(
            select(*branch_store.COLUMNS).where(stored.c.game_id == table.id).order_by(stored.c.received_at)
        )
        return [branch_store.branch(row) for row in rows]


def parked(table: Table) -> dict[str, str]:
    """What is parked of a game: id and code."""
    rows = table.world.rows("SELECT action_id, code FROM parked WHERE game_id = :id", id=table.id)
    return {str(action_id): code for action_id, code in rows}


def opened(table: Table) -> list[str]:
    """The conflicts that are told to have opened, each time."""
    kind = "sessions.conflict.opened"
    return [row.data["conflict_id"] for row in table.world.events(table.id) if row.type == kind]


def assert_recomputable(table: Table) -> None:
    """Whatever was done, the head is what rules makes of the log."""
    game = table.game
    log = table.actions
    assert len(log) == game.head.version
    head = table.world.rules.fold(game, log)
    assert (head.state, head.table, head.undo, head.redo) == (
        game.head.state,
        game.head.table,
        game.head.undo,
        game.head.redo,
    )
