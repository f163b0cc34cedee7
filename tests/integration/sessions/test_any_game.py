"""What holds of every game after every step, whatever was tapped before: batches, undo, redo, repetitions."""

from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from services.sessions.domain.game import Game, Head
from shared.web.problems import Problem
from tests.integration.sessions.world import Table, World, verdicts
from tests.support.api import Json, action, play
from tests.support.audit import effective
from tests.support.wishes import WISHES, Wish, meant

THOROUGH = settings(
    max_examples=20,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


class TwoTables(RuleBasedStateMachine):
    """The same actions one by one at one table, and in batches at the other."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.tables: list[Json] = []
        self.results: list[Json | None] = []
        self.sent: list[Json] = []

    @initialize(players=st.integers(1, 5), expert=st.booleans(), reduced=st.booleans())
    def sit_down(self, players: int, expert: bool, reduced: bool) -> None:
        options = {"difficulty": "expert" if expert else "normal", "reduced_hand": reduced}
        self.single = self.world.new_game(players=players, options=options)
        self.batched = self.world.new_game(players=players, options=options)
        self.tables = [self.single.game.head.table]
        self.results = [None]

    @rule(wishes=st.lists(WISHES, min_size=1, max_size=6))
    def tap(self, wishes: list[Wish]) -> None:
        tapped = [self._tap(wish) for wish in wishes]
        rest = list(tapped)
        while rest:
            answer = self.batched.send(*rest)
            if answer.refusal is None:
                assert len(answer.outcomes) == len(rest)
                break
            assert len(answer.outcomes) == answer.refusal.index + 1
            rest = rest[answer.refusal.index + 1 :]

    def _tap(self, wish: Wish) -> Json:
        before = self.single.game
        tapped = meant(wish, before.document(), self.sent)
        self.sent.append(tapped)
        answer = self.single.send(tapped)
        if verdicts(answer) == ["accepted"]:
            self.tables.append(answer.game.head.table)
            self.results.append(answer.game.document()["result"])
            assert answer.outcomes[0]["seq"] == answer.game.head.version == before.head.version + 1
        else:
            assert answer.game == before == self.single.game
        return tapped

    @precondition(lambda self: len(self.tables) > 1)
    @rule(number=st.integers(0, 100))
    def tap_the_same_with_the_version_of_then(self, number: int) -> None:
        before = self.single.game
        entry = self.single.log()[number % before.head.version]
        answer = self.single.send(entry["action"] | {"at": "2026-05-01T18:30:00Z"}, expected=0)
        assert verdicts(answer) == ["duplicate"]
        assert answer.outcomes[0]["seq"] == entry["seq"]
        assert answer.outcomes[0]["instructions"] == entry["instructions"]
        assert answer.game == before

    @precondition(lambda self: len(self.tables) > 1)
    @rule(number=st.integers(0, 100))
    def use_an_id_for_something_else(self, number: int) -> None:
        before = self.single.game
        entry = self.single.log()[number % before.head.version]
        other = play("up2", 51) if entry["action"]["type"] != "play" else action("draw")
        answer = self.single.send(other | {"id": entry["action"]["id"]})
        assert answer.refusal is not None
        assert answer.refusal.code == "action_id_reused"
        assert answer.game == before

    @precondition(lambda self: len(self.tables) > 1)
    @rule(number=st.integers(0, 100))
    def tap_without_having_seen_the_last_entries(self, number: int) -> None:
        before, log = self.single.game, self.single.log()
        seen = number % before.head.version
        with pytest.raises(Problem) as caught:
            self.single.send(action("draw"), expected=seen)
        assert caught.value.code == "version_conflict"
        assert caught.value.extra["version"] == before.head.version
        assert caught.value.extra["missed"] == log[seen:]
        assert self.single.game == before

    @rule(number=st.integers(0, 100))
    def look_back(self, number: int) -> None:
        version = number % len(self.tables)
        found = self.world.games().at(self.single.account_id, self.single.id, version)
        assert found.head.version == version
        assert found.head.table == self.tables[version]
        assert found.head.result == self.results[version]

    @precondition(lambda self: len(self.tables) > 1)
    @rule(number=st.integers(0, 100), limit=st.integers(1, 10))
    def read_a_part_of_the_log_with_what_there_was_to_see(self, number: int, limit: int) -> None:
        after = number % len(self.tables)
        read = self.single.log(after, limit, tables=True)
        assert [entry["seq"] for entry in read] == list(range(1, len(self.tables)))[after : after + limit]
        assert [entry["table"] for entry in read] == self.tables[1:][after : after + limit]
        assert [entry["result"] for entry in read] == self.results[1:][after : after + limit]

    @invariant()
    def the_log_is_unbroken_and_says_what_counts(self) -> None:
        log = self.single.log()
        assert [entry["seq"] for entry in log] == list(range(1, len(self.tables)))
        assert [entry["effective"] for entry in log] == effective(log)

    @invariant()
    def the_head_is_what_the_log_folds_to(self) -> None:
        game = self.single.game
        folded = self.world.rules.fold(game, self.single.actions)
        assert lasting(folded) == lasting(game.head)
        assert folded.state == game.head.state

    @invariant()
    def undo_and_redo_name_what_the_log_says(self) -> None:
        head, log = self.single.game.head, self.single.log()
        standing = [entry["action"] for entry in log if entry["effective"]]
        assert head.undo == target(standing)
        assert head.redo == target(undone(log))

    @invariant()
    def what_is_told_at_once_is_what_was_to_be_seen_after_each(self) -> None:
        for event in self.world.events(self.batched.id):
            data = event.data
            if event.type == "sessions.game.advanced":
                first = data["version"] - len(data["entries"]) + 1
                told = data.get("after") or [{"table": data["table"], "result": data["result"]}]
                assert [seen["table"] for seen in told] == self.tables[first : data["version"] + 1]
                assert [undated(seen["result"]) for seen in told] == [
                    undated(result) for result in self.results[first : data["version"] + 1]
                ]

    @invariant()
    def both_tables_tell_the_same_of_their_results(self) -> None:
        assert results_told(self.batched) == results_told(self.single)

    @invariant()
    def both_tables_are_alike(self) -> None:
        assert lasting(self.batched.game.head) == lasting(self.single.game.head)
        assert facts(self.batched) == facts(self.single)

    def teardown(self) -> None:
        if not self.tables:
            return
        game: Game = self.single.game
        while game.head.undo:
            game = self.single.send(action("undo", target=game.head.undo["target"])).game
        assert game.head.table == self.tables[0]
        assert game.head.result is None
        assert not any(entry["effective"] for entry in self.single.log())


def test_every_game_keeps_what_a_log_promises(world: World) -> None:
    run_state_machine_as_test(partial(TwoTables, world), settings=THOROUGH)  # type: ignore[arg-type]


def lasting(head: Head) -> dict[str, Any]:
    """A head without the clock."""
    return {
        "version": head.version,
        "rules_version": head.rules_version,
        "table": head.table,
        "result": undated(head.result),
        "undo": head.undo,
        "redo": head.redo,
    }


def undated(result: Json | None) -> Json | None:
    """A result without the clock."""
    return result and {name: value for name, value in result.items() if name != "confirmed_at"}


def results_told(table: Table) -> list[tuple[str, int]]:
    """When others were told that a result came or went: the event's type and version, in order."""
    kinds = ("sessions.game.finished", "sessions.game.reopened")
    return [
        (event.type, event.data["version"]) for event in table.world.events(table.id) if event.type in kinds
    ]


def facts(table: Table) -> list[Any]:
    """A log without the clock."""
    return [(e["seq"], e["action"], e["instructions"], e["effective"]) for e in table.log()]


def undone(log: list[Json]) -> list[Json]:
    """The actions that can be redone, the next one last; worked out from a log anew."""
    standing: list[Json] = []
    taken_off: list[Json] = []
    for entry in log:
        match entry["action"]["type"]:
            case "undo":
                taken_off.append(standing.pop())
            case "redo":
                standing.append(taken_off.pop())
            case _:
                standing.append(entry["action"])
                taken_off = []
    return taken_off


def target(actions: list[Json]) -> Json | None:
    """What undo or redo would take: the last of `actions`."""
    return {"target": actions[-1]["id"], "type": actions[-1]["type"]} if actions else None
