"""Decisions over HTTP: one entry each, taken back by undo, and never about what was not looked at."""

from functools import partial

import pytest

from services.sessions.domain.resolutions import CHOICES
from tests.integration.sessions.forks import ALIKE
from tests.integration.sessions.killing import Killer, killed_everywhere
from tests.integration.sessions.opened import READ, Open, tops
from tests.integration.sessions.served import Owner, Served, is_refused
from tests.integration.sessions.world import World
from tests.support.api import Json, action, play
from tests.support.unreliable import at_once


@pytest.fixture
def served(world: World) -> Served:
    return Served(world)


@pytest.fixture
def owner(served: Served) -> Owner:
    return served.owner()


@pytest.mark.parametrize(
    ("choice", "expected", "more"),
    [
        ("cloud", [12, 1, 100, 100], {}),
        ("device", [7, 12, 100, 100], {}),
        ("table", [12, 1, 100, 100], {"table": READ}),
    ],
)
def test_a_decision_is_one_entry_that_undo_takes_back_and_redo_brings_back(
    owner: Owner, choice: str, expected: list[int], more: Json
) -> None:
    opened = Open(owner)
    before = owner.call("GET", owner.game).json
    game = opened.decide(choice, **more).json
    assert tops(game) == expected
    assert game["version"] == before["version"] + 1
    assert opened.read()["status"] == "settled"
    undone = opened.send(action("undo", target=game["undo"]["target"])).json["game"]
    assert {**undone["table"]} == before["table"]
    assert undone["undo"] == before["undo"]
    assert opened.read()["status"] == "needs_decision"
    redone = opened.send(action("redo")).json["game"]
    assert redone["table"] == game["table"]
    assert opened.read()["status"] == "settled"


def test_the_same_decision_again_gives_the_same_answer_and_another_one_none(owner: Owner) -> None:
    opened = Open(owner)
    first = opened.decide("device")
    again = opened.decide("device")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json == first.json
    for choice, more in (("cloud", {}), ("merged", {}), ("table", {"table": READ})):
        assert is_refused(opened.decide(choice, **more), 409, "conflict_settled")
    assert len(opened.fork.resolutions) == 1


def test_the_table_is_the_same_decision_only_where_it_shows_the_same(owner: Owner) -> None:
    opened = Open(owner)
    assert opened.decide("table", table=READ).status_code == 200
    assert opened.decide("table", table=READ).status_code == 200
    other = READ | {"deck": 83}
    assert is_refused(opened.decide("table", table=other), 409, "conflict_settled")


def test_a_table_that_cannot_be_is_refused_with_what_is_wrong(owner: Owner) -> None:
    opened = Open(owner)
    refused = opened.decide("table", table=READ | {"deck": 200})
    assert is_refused(refused, 422, "table_impossible")
    assert refused.json["errors"]["deck"]
    assert opened.fork.resolutions == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"choice": "both"},
        {"choice": "table"},
        {"choice": "cloud", "table": READ},
        {"choice": "table", "table": []},
        {"choice": "cloud", "expected_version": "2"},
        {"choice": "cloud", "more": 1},
    ],
)
def test_a_malformed_decision_decides_nothing(owner: Owner, body: Json) -> None:
    opened = Open(owner)
    answer = owner.call("POST", f"{opened.path}/decision", body)
    assert is_refused(answer, 422, "validation_failed")
    assert opened.read()["status"] == "needs_decision"


def test_after_an_undo_people_decide_anew_as_often_as_they_like(owner: Owner) -> None:
    opened = Open(owner)
    for choice, top in [("device", 12), ("cloud", 1), ("device", 12)]:
        game = opened.decide(choice).json
        assert tops(game)[1] == top
        opened.send(action("undo"))
    assert len({it["id"] for it in opened.fork.resolutions}) == 3


def test_where_the_cloud_moved_on_nothing_is_decided_and_what_was_missed_is_told(owner: Owner) -> None:
    opened = Open(owner)
    opened.send(play("down2", 95))
    for choice, more in (("cloud", {}), ("device", {}), ("table", {"table": READ})):
        again = Open.read(opened)
        refused = opened.decide(choice, expected_version=2, **more)
        assert is_refused(refused, 409, "version_conflict")
        assert [entry["action"]["card"] for entry in refused.json["missed"]] == [95]
        assert refused.json["version"] == 3
        assert refused.json["conflict"]["cloud_version"] == 3
        assert refused.json["conflict"]["id"] == again["id"]
    assert opened.fork.resolutions == []
    assert opened.played == [7, 12, 95]
    assert opened.decide("device").status_code == 200, "the new version is the conflict's now"
    assert opened.read()["device"]["entries"][0]["action"]["pile"] == "up2"


def test_without_a_version_the_one_the_conflict_was_looked_at_counts(owner: Owner) -> None:
    opened = Open(owner)
    opened.send(play("down2", 95))
    refused = opened.decide("cloud")
    assert is_refused(refused, 409, "version_conflict")
    assert refused.json["conflict"]["text"]["summary"]
    assert opened.decide("cloud").status_code == 200


def test_an_entry_that_was_taken_back_again_has_moved_nothing_on(owner: Owner) -> None:
    opened = Open(owner)
    opened.send(play("down2", 95), action("undo"))
    assert opened.decide("device", expected_version=2).status_code == 200


def test_a_version_that_there_is_not_yet_is_none(owner: Owner) -> None:
    opened = Open(owner)
    assert is_refused(opened.decide("cloud", expected_version=9), 409, "version_conflict")


def test_there_is_no_merging_without_a_proposal(owner: Owner) -> None:
    opened = Open(owner)
    assert is_refused(opened.decide("merged"), 422, "no_proposal")


def test_a_proof_that_was_taken_back_is_a_proposal(owner: Owner) -> None:
    opened = Open(owner, ALIKE)
    assert opened.read()["status"] == "merged"
    game = opened.decide("merged")
    assert game.status_code == 200, "it is what was proved"
    opened.send(action("undo"))
    document = opened.read()
    assert document["status"] == "needs_decision"
    assert document["proposal"]["table"]["played"] == [7, 12, 90]
    assert opened.decide("merged").status_code == 200
    assert opened.read()["status"] == "settled"


def test_a_decision_settles_what_no_worker_has_looked_at_yet(owner: Owner) -> None:
    pending = Open(owner, run=False)
    assert pending.decide("device").status_code == 200
    assert pending.read()["status"] == "settled"


def test_the_same_decision_from_many_devices_at_once_is_one_entry(owner: Owner) -> None:
    opened = Open(owner)
    answers = at_once(*[lambda: opened.decide("device")] * 6)
    assert {answer.status_code for answer in answers} == {200}
    assert len(opened.fork.resolutions) == 1


def test_of_different_decisions_at_once_one_counts(owner: Owner) -> None:
    for _ in range(3):
        opened = Open(owner.served.owner())
        answers = at_once(*[partial(opened.decide, it) for it in ("cloud", "device") * 2])
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses[0] == 200
        refused = [answer.json["code"] for answer in answers if answer.status_code != 200]
        assert set(refused) <= {"conflict_settled", "version_conflict"}
        assert len(opened.fork.resolutions) == 1


def test_a_decision_that_dies_at_any_step_is_whole_or_not_there(served: Served) -> None:
    tried: list[Open] = []

    def work(killer: Killer) -> None:
        opened = Open(served.owner())
        tried.append(opened)
        with killer.watching(served.world.web, served.world.statements):
            opened.decide("device")

    assert len(list(killed_everywhere(work))) > 10
    for opened in tried:
        assert opened.decide("device").status_code == 200
        assert len(opened.fork.resolutions) == 1
        assert opened.read()["status"] == "settled"
        assert opened.fork.stored.status == "settled"


def test_deciding_and_opening_need_plus_and_reading_does_not(owner: Owner) -> None:
    opened = Open(owner)
    lapsed, _ = owner.served.token(owner.account_id, "free")
    for verb, body in (("decision", {"choice": "cloud"}), ("reopen", {"side": "cloud"})):
        answer = owner.served.call("POST", f"{opened.path}/{verb}", body, lapsed)
        assert is_refused(answer, 403, "plus_required")
    for path in (opened.path, "/v1/conflicts"):
        assert owner.served.call("GET", path, token=lapsed).status_code == 200


def test_a_game_in_the_bin_is_decided_when_it_is_back(owner: Owner) -> None:
    opened = Open(owner)
    owner.call("DELETE", owner.game)
    assert is_refused(opened.decide("cloud"), 409, "game_in_bin")
    assert opened.read()["status"] == "needs_decision"
    owner.call("POST", f"{owner.game}/restore")
    assert opened.decide("cloud").status_code == 200


def test_all_choices_are_tried_here() -> None:
    assert set(CHOICES) == {"cloud", "device", "table", "merged"}
