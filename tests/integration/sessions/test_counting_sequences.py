"""Whatever people do, in whatever order, whenever the job runs: figures are those of a recomputation."""

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from typing import ClassVar
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from infra.host.postgres import PostgresServer
from infra.host.valkey import ValkeyServer
from infra.postgres.roles import SESSIONS
from services.sessions import bootstrap
from services.sessions.adapters.players import Players
from services.sessions.application import people, purge
from services.sessions.application.games import Games, SeatRequest
from services.sessions.application.invitations import Invitations, Issued
from services.sessions.application.play import Play
from services.sessions.application.rebuilding import Rebuild
from services.sessions.application.recording import Recorder
from services.sessions.application.sharing import Sharing
from services.sessions.domain.roles import PLUS
from shared.bus.events import Event
from shared.bus.requests import Requests
from shared.storage.ids import new_id
from shared.web.problems import Problem
from shared.web.tokens import Identity
from tests.integration.sessions.conftest import migrated
from tests.integration.sessions.ledgers import assert_exact, job
from tests.integration.sessions.world import LONG_AGO, Table, World, now
from tests.support.api import Json, action, play
from tests.support.embedded import Urls

# Ends of days, of months and of a February, as the clock shows them.
TIMES = [
    datetime.fromisoformat(f"2031-{moment}+00:00")
    for moment in ("01-31T23:59:59.999999", "02-01T00:00:00", "02-28T23:59:59", "03-01T00:00:00")
]
TAPS = st.lists(st.sampled_from(["play", "block", "confirm", "undo", "redo"]), min_size=1, max_size=4)
NUMBERS = st.integers(0, 99)
SEATS = st.lists(st.integers(0, 2), max_size=2)


class Saved:
    """The saved players of two accounts, as accounts answers for them over the bus."""

    def __init__(self) -> None:
        self.of: dict[UUID, list[UUID]] = {uuid4(): [uuid4() for _ in range(3)] for _ in range(2)}
        self.merged: dict[UUID, UUID] = {}
        self.names: dict[UUID, str] = {}

    def ask(self, body: Json, timeout_s: float) -> Json:
        owned = self.of[UUID(body["account_id"])]
        asked = [UUID(one) for one in body["player_ids"]]
        return {"players": [self._told(one) for one in asked if one in owned]}

    def persons(self, players: Sequence[UUID]) -> list[UUID]:
        """One player for each person among them."""
        return list({self.merged.get(player, player): player for player in players}.values())

    def _told(self, asked: UUID) -> Json:
        person = self.merged.get(asked, asked)
        return {"id": str(person), "asked": str(asked), "name": self.names.get(person, "Ana")}


class Evenings(RuleBasedStateMachine):
    """Games of two accounts, their players, the bin, others they are shared with, and the end of accounts.

    And the job, which may run at any time or not.
    """

    world: ClassVar[World]

    @initialize()
    def begin(self) -> None:
        self.saved = Saved()
        self.handlers = people.handlers(Players(self.saved))
        self.tables: list[Table] = []
        self.binned: list[Table] = []
        self.others = [uuid4() for _ in range(3)]
        self.codes: dict[UUID, Issued] = {}
        self.sharing = Sharing(self.world.web, self.world.statements)
        self.inviting = Invitations(self.world.web, self.world.statements, lambda _: PLUS)
        for whose in range(2):
            self.start(whose, [0, 1], "normal")
            self.finish(whose, is_counted=True)

    @rule(whose=NUMBERS, seats=SEATS, difficulty=st.sampled_from(["normal", "expert"]))
    def start(self, whose: int, seats: list[int], difficulty: str) -> None:
        owner, players = self._owner(whose)
        places = [SeatRequest(player) for player in self.saved.persons([players[seat] for seat in seats])]
        world = self.world
        games = Games(world.web, world.statements, world.rules, Players(self.saved))
        options = {"difficulty": difficulty}
        made = games.create(owner, {}, "the-game", options, [*places, SeatRequest(name="Guest")], None)
        self.tables.append(Table(world, owner, made.id))

    @precondition(lambda self: self.tables)
    @rule(which=NUMBERS, taps=TAPS, at=st.sampled_from(TIMES))
    def tap(self, which: int, taps: list[str], at: datetime) -> None:
        """Whether the rules accept it or not."""
        recorder = Recorder(self.world.statements, self.world.web, self.world.rules, now=lambda: at)
        tapped = [play("up1", 50) if tap == "play" else action(tap) for tap in taps]
        self._table(which).send(*tapped, play=Play(recorder))

    @precondition(lambda self: self.tables)
    @rule(which=NUMBERS, is_counted=st.booleans())
    def finish(self, which: int, is_counted: bool) -> None:
        table = self._table(which)
        for tap in ("block", "confirm"):
            table.send(action(tap))
        if is_counted:
            job(self.world).run([table.id])

    @precondition(lambda self: self.tables)
    @rule(which=NUMBERS)
    def reopen(self, which: int) -> None:
        self._table(which).send(action("undo"))

    @precondition(lambda self: self.tables)
    @rule(which=NUMBERS)
    def bin(self, which: int) -> None:
        table = self._table(which)
        self.world.games(lambda: now() - LONG_AGO).bin(table.account_id, table.id)
        self.tables.remove(table)
        self.binned.append(table)

    @precondition(lambda self: self.binned)
    @rule()
    def restore(self) -> None:
        table = self.binned.pop()
        self.world.games().restore(table.account_id, table.id)
        self.tables.append(table)

    @rule()
    def purge(self) -> None:
        purge.sweep(self.world.purge, now())
        self.binned.clear()

    @precondition(lambda self: self.tables)
    @rule(which=NUMBERS, who=st.integers(0, 2))
    def share(self, which: int, who: int) -> None:
        table = self._table(which)
        if table.id not in self.codes:
            owner = Identity(str(table.account_id), PLUS, 0, 0, str(uuid4()))
            self.codes[table.id] = self.inviting.create(owner, table.id, "viewer", 3600)
        self.sharing.accept(self.others[who], self.codes[table.id].code)

    @precondition(lambda self: self.codes)
    @rule(which=NUMBERS, who=st.integers(0, 2))
    def leave(self, which: int, who: int) -> None:
        """Whether the game was shared, or is still there, or not."""
        game_id = list(self.codes)[which % len(self.codes)]
        with suppress(Problem):
            self.sharing.leave(self.others[who], game_id)

    @precondition(lambda self: self.tables)
    @rule(which=NUMBERS)
    def withdraw(self, which: int) -> None:
        table = self._table(which)
        if issued := self.codes.pop(table.id, None):
            self.inviting.revoke(table.account_id, table.id, issued.invitation.id)

    @rule(who=st.integers(0, 2))
    def delete_another(self, who: int) -> None:
        self._tell_deleted(self.others[who])
        self.others[who] = uuid4()

    @rule(whose=NUMBERS)
    def delete_owner(self, whose: int) -> None:
        """Others keep what is shared with them, and nobody enters anything there any more."""
        owner, players = self._owner(whose)
        self._tell_deleted(owner)
        del self.saved.of[owner]
        self.saved.of[uuid4()] = players
        self.tables = [table for table in self.tables if table.account_id != owner]
        self.binned = [table for table in self.binned if table.account_id != owner]

    @rule(whose=NUMBERS, one=st.integers(0, 2), other=st.integers(0, 2))
    def merge_or_part(self, whose: int, one: int, other: int) -> None:
        owner, players = self._owner(whose)
        player, into, merged = players[one], players[other], self.saved.merged
        if player in merged:
            del merged[player]
        elif player != into and into not in merged and player not in merged.values():
            merged[player] = into
        self._tell_of(owner, player)

    @rule(whose=NUMBERS, one=st.integers(0, 2), name=st.sampled_from(["Ana", "Bo"]))
    def rename(self, whose: int, one: int, name: str) -> None:
        owner, players = self._owner(whose)
        self.saved.names[players[one]] = name
        self._tell_of(owner, players[one])

    @rule()
    def count_some(self) -> None:
        """As the event of a game starts it, out of order."""
        found = self.world.rows("SELECT game_id FROM results_due ORDER BY random() LIMIT 2")
        job(self.world).run([row.game_id for row in found])

    @rule()
    def count_all(self) -> None:
        job(self.world).sweep()

    @rule()
    def rebuild(self) -> None:
        Rebuild(self.world.web, job(self.world)).run(lambda _: None)

    def teardown(self) -> None:
        job(self.world).sweep()
        assert_exact(self.world)
        for table in (*self.tables, *self.binned):
            self.world.games(lambda: now() - LONG_AGO).bin(table.account_id, table.id)
        for account_id in self.others:
            self._tell_deleted(account_id)
        purge.sweep(self.world.purge, now())

    def _owner(self, whose: int) -> tuple[UUID, list[UUID]]:
        return list(self.saved.of.items())[whose % 2]

    def _table(self, which: int) -> Table:
        return self.tables[which % len(self.tables)]

    def _tell_deleted(self, account_id: UUID) -> None:
        self._tell("accounts.account.deleted", account_id, {"account_id": str(account_id)})

    def _tell_of(self, owner: UUID, player_id: UUID) -> None:
        told = {"account_id": str(owner), "player_id": str(player_id)}
        self._tell("accounts.player.changed", owner, told)

    def _tell(self, kind: str, account_id: UUID, told: Json) -> None:
        event = Event(new_id(), kind, "/accounts", str(account_id), now(), told)
        with self.world.web.begin() as connection:
            self.handlers[event.type](connection, event)


@pytest.fixture(scope="module")
def urls(postgres_server: PostgresServer) -> Urls:
    """A database of this module's own: all of it is looked at."""
    return migrated(postgres_server, SESSIONS, bootstrap.MIGRATIONS)


def test_figures_are_exact_after_any_sequence(
    urls: Urls, valkey_server: ValkeyServer, rules: Requests
) -> None:
    with ExitStack() as stack:
        Evenings.world = World(urls, valkey_server, rules, stack)
        run_state_machine_as_test(
            Evenings,
            settings=settings(
                max_examples=30,
                stateful_step_count=20,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
