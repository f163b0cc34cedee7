"""Whatever two devices recorded: every card of both is in one legal story, or the table is asked about it."""

from collections.abc import Sequence

import pytest
from hypothesis import event, given

from services.rules.the_game.actions import Action
from services.rules.the_game.entries import as_json
from tests.support.api import Api, Json, action, send, whole_log
from tests.support.guests import owner_with_plus
from tests.support.offline import (
    Phone,
    compared,
    decide,
    decided,
    lasting,
    new_ids,
    path_of,
    read,
    story_of,
    told,
    with_ids,
)
from tests.support.system import System
from tests.support.thorough import thorough
from tests.unit.rules.builders import as_json as options_as_json
from tests.unit.rules.evenings import Evening, forks, split_evenings

BATCH = 200
THOROUGH = thorough(15)


@pytest.fixture(scope="module")
def api(system: System) -> Api:
    """Somebody with Plus; one token does for both devices here."""
    return owner_with_plus(system).api


class Table:
    """The game of an evening: the log has what is common and what the cloud has; a device has its own."""

    def __init__(self, api: Api, evening: Evening) -> None:
        self.api = api
        options = options_as_json(evening.options)
        players = [{"name": f"Player {number}"} for number in range(options.pop("players"))]
        body = {"ruleset": "the-game", "options": options, "players": players}
        self.game: Json = api.post("/v1/games", body).json
        ids = new_ids()
        common, cloud, branch = (
            with_ids(map(as_json, part), ids) for part in (evening.common, evening.cloud, evening.device)
        )
        self._play([*common, *cloud])
        self.cloud = self.shown
        self.phone = Phone(api, self.game["id"], "cellar", len(common), branch)

    @property
    def shown(self) -> Json:
        return read(self.api, f"/v1/games/{self.game['id']}")

    def _play(self, actions: Sequence[Json]) -> None:
        for first in range(0, len(actions), BATCH):
            answer = send(self.api, self.game, actions[first : first + BATCH])
            assert answer.status == 200, answer.body

    def undo(self) -> Json:
        answer = send(self.api, self.game, [action("undo")])
        assert answer.status == 200, answer.body
        game: Json = answer.json["game"]
        return game

    def assert_legal(self) -> None:
        """The story that the log tells is legal from its first card on, and leads to the table shown."""
        told_by_the_log = story_of(whole_log(self.api, self.game["id"]))
        body = {"options": self.game["options"], "actions": told_by_the_log}
        answer = self.api.post("/v1/rulesets/the-game/evaluate", body)
        assert {outcome["verdict"] for outcome in answer.json["outcomes"]} <= {"accepted"}, answer.body
        assert answer.json["table"] == self.shown["table"]


@THOROUGH
@given(evening=forks() | split_evenings())
def test_no_card_of_either_device_is_lost_or_made_up_and_every_decision_can_be_taken_back(
    api: Api, evening: Evening
) -> None:
    table = Table(api, evening)
    brought = table.phone.sync()
    assert set(told(brought)) <= {"accepted", "duplicate"}
    assert table.phone.sync().json["outcomes"] == [
        outcome | {"verdict": "duplicate"} if brought.status == 200 else outcome
        for outcome in brought.json["outcomes"]
    ]
    event(f"answered {brought.status}")
    if brought.status == 200:
        assert lasting(table.shown) == lasting(brought.json["game"])
        return
    conflict = compared(api, path_of(brought))
    event(conflict["status"])
    if conflict["status"] == "merged":
        assert_joined(table, conflict)
    else:
        assert_asked(table, conflict)


def assert_joined(table: Table, conflict: Json) -> None:
    """Every card of both, none besides, in a legal order; undo brings the cloud's branch back."""
    assert conflict["questions"] == []
    table.assert_legal()
    both = {*conflict["cloud"]["table"]["played"], *conflict["device"]["table"]["played"]}
    assert table.shown["table"]["played"] == sorted(both)
    assert lasting(table.undo()) == lasting(table.cloud)


def assert_asked(table: Table, conflict: Json) -> None:
    """Nothing is changed before the table has answered; each answer is what it says, and taken back."""
    assert table.shown == table.cloud
    assert 1 <= len(conflict["questions"]) <= 6
    assert all(it["text"] for it in conflict["questions"])
    path = f"/v1/conflicts/{conflict['id']}"
    choices = {"cloud": table.cloud, "device": conflict["device"], "merged": conflict["proposal"]}
    for choice, expected in choices.items():
        if expected is None:
            assert decide(table.api, path, choice).code == "no_proposal"
            continue
        assert decided(table.api, path, choice)["table"] == expected["table"]
        table.assert_legal()
        assert lasting(table.undo()) == lasting(table.cloud)


@THOROUGH
@given(evening=split_evenings())
def test_a_game_split_over_two_devices_is_brought_together_as_it_was(api: Api, evening: Evening) -> None:
    original = evening.original or []
    table = Table(api, evening)
    brought = table.phone.sync()
    if brought.status == 202 and compared(api, path_of(brought))["status"] != "merged":
        return
    table.assert_legal()
    seen = {play_of(it) for it in (*evening.common, *evening.cloud, *evening.device)}
    if seen != {play_of(it) for it in original}:
        return
    event("whole")
    body = {"options": table.game["options"], "actions": [as_json(it) for it in original]}
    assert table.shown["table"] == api.post("/v1/rulesets/the-game/evaluate", body).json["table"]


def play_of(it: Action) -> tuple[object, object] | None:
    return (it.pile, it.card) if it.type == "play" else None
