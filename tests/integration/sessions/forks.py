"""Two stories of one evening on the real database: a log that went on, and a device that did too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from services.sessions.adapters import branch_store, conflict_store, log_store
from services.sessions.application.play import Play
from services.sessions.application.reconcile import Reconcile
from services.sessions.domain import outcomes
from services.sessions.domain.branch import PENDING, Branch, Conflict
from services.sessions.domain.log import By
from services.sessions.domain.outlines import outline
from shared.contracts.actions import normal
from shared.storage.ids import new_id
from tests.integration.sessions.world import Table, World, now
from tests.support.api import Json, play

DEVICE = "cellar phone"
BEFORE = [("up1", 7)]
# Twice the same two cards, in an order of each side's own.
ALIKE = ([("up1", 12), ("down1", 90)], [("down1", 90), ("up1", 12)])
# One card on two piles.
APART = ([("up1", 12)], [("up2", 12)])
Lays = Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Fork:
    """A game with an open conflict."""

    table: Table
    conflict_id: UUID

    @property
    def stored(self) -> Conflict:
        with self.table.world.statements.connect() as connection:
            found = conflict_store.load(connection, None, self.conflict_id)
        assert found is not None
        return found

    @property
    def resolutions(self) -> list[Json]:
        """The actions of the log that resolve it."""
        return [it for it in self.table.actions if it.get("conflict_id") == str(self.conflict_id)]

    def run(self) -> str | None:
        return job(self.table.world).run(self.conflict_id)


def job(world: World, play: Play | None = None, clock: Callable[[], datetime] = now) -> Reconcile:
    """A worker of its own."""
    return Reconcile(world.web, world.statements, world.rules, play or world.play(), now=clock)


def lays(cards: Lays) -> list[Json]:
    return [play(pile, card) for pile, card in cards]


def fork(
    world: World,
    sides: tuple[Lays, Lays],
    *,
    table: Table | None = None,
    guest_id: UUID | None = None,
    ago: timedelta = timedelta(0),
) -> Fork:
    """A game in which both sides went on from `BEFORE`, the device's story sent that long ago."""
    table = table or world.new_game()
    base = table.send(*lays(BEFORE)).game.head.version
    table.send(*lays(sides[0]))
    return Fork(table, sent(table, lays(sides[1]), base, guest_id=guest_id, ago=ago))


def sent(
    table: Table,
    actions: Sequence[Json],
    base: int,
    *,
    guest_id: UUID | None = None,
    account_id: UUID | None = None,
    ago: timedelta = timedelta(0),
) -> UUID:
    """What a device recorded after the first `base` entries, as it is stored when it is sent."""
    world, at = table.world, now() - ago
    branch = Branch(
        new_id(),
        table.id,
        By(None if guest_id else account_id or table.account_id, guest_id, DEVICE),
        base,
        [normal(action) for action in actions],
        [datetime(2026, 5, 4, 20, minute, tzinfo=UTC) for minute in range(len(actions))],
        judged(table, actions, base),
        at,
        at,
    )
    version = table.game.head.version
    conflict = Conflict(
        new_id(), table.account_id, branch, PENDING, version, None, at, at, outlined(table, branch)
    )
    with world.web.begin() as connection:
        branch_store.add_branch(connection, branch)
        conflict_store.open_conflict(connection, conflict)
    return conflict.id


def grown(fork: Fork, actions: Sequence[Json]) -> None:
    """The device sends more of the same story."""
    conflict = fork.stored
    branch = conflict.branch
    both = [*branch.actions, *(normal(action) for action in actions)]
    longer = Branch(
        branch.id,
        branch.game_id,
        branch.by,
        branch.base_version,
        both,
        [*branch.ats, *(None for _ in actions)],
        judged(fork.table, both, branch.base_version),
        now(),
        now(),
    )
    with fork.table.world.web.begin() as connection:
        branch_store.extend_branch(connection, longer, outlined(fork.table, longer), now())


def outlined(table: Table, branch: Branch) -> Json:
    """What there is to show of both sides before anybody has looked."""
    with table.world.statements.connect() as connection:
        since = log_store.log_page(connection, table.id, branch.base_version, 1_000)
    return outline(branch, since)


def judged(table: Table, actions: Sequence[Json], base: int) -> list[Json]:
    """The outcomes of a branch as they are told to its device."""
    with table.world.statements.connect() as connection:
        log = log_store.log_actions(connection, table.id, base)
    bare = [normal(action) for action in actions]
    found = table.world.rules.reconcile(table.game, log, base, bare)["device"]["outcomes"]
    return [outcomes.of_judged(action["id"], outcome) for action, outcome in zip(bare, found, strict=True)]
