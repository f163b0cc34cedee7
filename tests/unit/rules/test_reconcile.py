"""The door to reconciling: what it answers can be written as one entry, and undo takes that back."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.entrypoints.responder import handle
from services.rules.the_game import ruleset
from services.rules.the_game.actions import Action
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, ODD_JSON, Json, as_json, lay
from tests.unit.rules.evenings import Evening, forks, split_evenings

OPTIONS: Json = {"players": 2, "difficulty": "normal", "reduced_hand": False, "first_seat": 0}
LOG = [lay("up1", 5, id="a1"), lay("up2", 9, id="a2"), DRAW | {"id": "a3"}, END | {"id": "a4"}]
TOLD = {"base_version", "actions", "table", "result"}


def ask(log: list[Json], version: Any, branch: Any, options: Json = OPTIONS) -> Json:
    body = {"ruleset": "the-game", "options": options, "log": log, "base_version": version, "branch": branch}
    answer: Json = json.loads(json.dumps(handle(json.loads(json.dumps(body)))))
    return answer


def written(log: list[Json], entry: Json, options: Json = OPTIONS) -> Json:
    """The answer once an entry is judged at the end of the log."""
    return ruleset.answer(options, None, log, [entry], tables=False)


def resolving(choice: str, told: Json, **more: Any) -> Json:
    """The entry that makes a told story the game's."""
    return {
        "type": "resolve",
        "id": "r",
        "choice": choice,
        "base_version": told["base_version"],
        "actions": told["actions"],
        **more,
    }


def _sent(evening: Evening) -> tuple[list[Json], int, list[Json]]:
    def sent(action: Action) -> Json:
        fields = {name: getattr(action, name) for name in ("pile", "card", "id", "target")}
        json_ = {"type": action.type, **{name: value for name, value in fields.items() if value is not None}}
        return json_ | ({"confirmed": True} if action.confirmed else {})

    common, cloud, device = (
        [{"id": f"{side}{n}"} | sent(action) for n, action in enumerate(log)]
        for side, log in (("b", evening.common), ("c", evening.cloud), ("d", evening.device))
    )
    return [*common, *cloud], len(common), device


def test_a_branch_that_the_log_has_is_contained() -> None:
    answer = ask(LOG, 1, [lay("up2", 9, id="d1")])
    assert (answer["status"], answer["base_version"]) == ("contained", 1)
    assert [action["id"] for action in answer["actions"]] == ["a2", "a3", "a4"]
    assert answer["table"] == answer["cloud"]["table"]
    assert answer["proof"] == {
        "plays_common": 1,
        "plays_cloud_only": 0,
        "plays_device_only": 0,
        "turns": 1,
    }
    assert answer["questions"] == []


def test_a_branch_sent_again_is_contained_in_the_entry_that_settled_it() -> None:
    branch = [lay("down1", 90, id="d1"), lay("up1", 7, id="d2")]
    first = ask(LOG[:2], 1, branch)
    assert first["status"] == "merged"
    log = [*LOG[:2], resolving("merged", first)]
    again = ask(log, 1, branch)
    assert again["status"] == "contained"
    assert again["table"] == first["table"]


def test_one_refused_action_does_not_block_those_that_do_not_depend_on_it() -> None:
    branch = [lay("up1", 4, id="d1"), lay("up1", 7, id="d2"), lay("down1", 90, id="d3")]
    answer = ask(LOG[:2], 2, branch)
    outcomes = answer["device"]["outcomes"]
    assert [(outcome["action_id"], outcome["verdict"]) for outcome in outcomes] == [
        ("d1", "rejected"),
        ("d2", "accepted"),
        ("d3", "accepted"),
    ]
    assert outcomes[0]["code"] == "illegal_play"
    assert answer["status"] == "merged"
    assert [action["id"] for action in answer["actions"]] == ["d2", "d3"]


def test_what_is_undecided_comes_with_everything_to_decide_it() -> None:
    answer = ask([*LOG, lay("up1", 50, id="c1")], 4, [lay("up2", 50, id="d1")])
    assert answer["status"] == "undecided"
    assert answer["questions"] == [{"id": "top:up1", "fact": "top", "pile": "up1", "cloud": 50, "device": 5}]
    assert answer["first_difference"] == {
        "index": 4,
        "turn": 2,
        "seat": 1,
        "cloud": lay("up1", 50, id="c1"),
        "device": lay("up2", 50, id="d1"),
    }
    assert answer["proposal"] is None
    assert (answer["base_version"], answer["actions"]) == (4, [])
    assert answer["device"]["actions"] == [lay("up2", 50, id="d1")]


@pytest.mark.parametrize("side", ["cloud", "device"])
def test_either_side_can_be_chosen_and_undo_restores_the_clouds(side: str) -> None:
    log, branch = [*LOG, lay("up1", 50, id="c1")], [lay("up2", 50, id="d1")]
    answer = ask(log, 4, branch)
    entry = resolving(side, answer[side])
    decided = written(log, entry)
    assert decided["table"] == answer[side]["table"]
    assert decided["undo"] == {"target": "r", "type": "resolve"}
    undone = written([*log, entry], {"type": "undo", "target": "r"})
    assert undone["table"] == answer["cloud"]["table"]


def test_the_table_can_decide_from_what_both_agree_on() -> None:
    answer = ask([*LOG, lay("up1", 50, id="c1")], 4, [lay("up2", 50, id="d1")])
    seen = {
        "piles": {"up1": 5, "up2": 50, "down1": 100, "down2": 100},
        "deck": 82,
        "hands": [7, 6],
        "active_seat": 1,
    }
    decided = written([*LOG, lay("up1", 50, id="c1")], resolving("table", answer, table=seen))
    assert decided["outcomes"][0]["verdict"] == "accepted"
    assert decided["table"]["piles"]["up2"]["top"] == 50
    assert decided["table"]["control"] == "full"
    wrong = written(LOG, resolving("table", answer, table=seen | {"deck": 84}))
    assert wrong["outcomes"][0]["code"] == "table_impossible"
    assert wrong["outcomes"][0]["errors"] == {
        "deck": ["Deck and hands must leave room for 3 cards known to be out."]
    }


def test_the_result_of_each_side_is_told() -> None:
    answer = ask(LOG[:2], 1, [BLOCK | {"id": "d1"}, CONFIRM | {"id": "d2"}])
    assert answer["device"]["result"] == {"outcome": "loss", "remaining": 97, "rating": "counted"}
    assert answer["cloud"]["result"] is None
    assert answer["status"] == "undecided"


@pytest.mark.parametrize(
    ("log", "version", "branch", "place"),
    [
        (LOG, 5, [], "base_version"),
        (LOG, -1, [], "base_version"),
        (LOG, True, [], "base_version"),
        (LOG, None, [], "base_version"),
        (LOG, 1, None, "branch"),
        (LOG, 1, [{"type": "draw"}], "branch"),
        (LOG, 1, [{"type": "adopt", "id": "t", "table": {}}], "branch"),
        (LOG, 1, [{"type": "fly", "id": "t"}], "branch"),
        ([{"type": "undo"}], 0, [], "log"),
        (None, 0, [], "log"),
    ],
)
def test_a_malformed_question_is_answered_with_what_is_wrong(
    log: Any, version: Any, branch: Any, place: str
) -> None:
    answer = ask(log, version, branch)
    assert answer["error"]["code"] == "validation_failed"
    assert list(answer["error"]["errors"]) == [place]


@given(st.dictionaries(st.sampled_from(["log", "base_version", "options"]), ODD_JSON), ODD_JSON)
def test_odd_input_is_answered(fields: Json, branch: Any) -> None:
    body = {"ruleset": "the-game", "options": OPTIONS, "log": LOG, "base_version": 2, "branch": branch}
    answer = handle(body | fields)
    assert set(answer) == {"error"} or "status" in answer


@settings(max_examples=150)
@given(forks() | split_evenings())
def test_every_answer_can_be_written_and_taken_back(evening: Evening) -> None:
    options = as_json(evening.options)
    log, version, branch = _sent(evening)
    answer = ask(log, version, branch, options)
    told = {"cloud": answer["cloud"], "device": answer["device"], "merged": answer["proposal"]}
    if answer["status"] != "undecided":
        told["merged"] = answer
    assert set(answer) >= TOLD | {
        "rules_version",
        "status",
        "proof",
        "first_difference",
        "questions",
        "proposal",
    }
    for choice, one in told.items():
        if one is None:
            continue
        assert one["base_version"] <= version
        entry = resolving(choice, one)
        decided = written(log, entry, options)
        assert decided["outcomes"][0]["verdict"] == "accepted"
        assert (decided["table"], decided["result"]) == (one["table"], one["result"])
        undone = written([*log, entry], {"type": "undo", "target": "r"}, options)
        assert undone["table"] == answer["cloud"]["table"]
        redone = written([*log, entry, {"type": "undo"}], {"type": "redo", "target": "r"}, options)
        assert (redone["table"], redone["state"]) == (one["table"], decided["state"])


@settings(max_examples=150)
@given(forks() | split_evenings())
def test_a_branch_sent_again_after_it_was_settled_is_contained(evening: Evening) -> None:
    options = as_json(evening.options)
    log, version, branch = _sent(evening)
    answer = ask(log, version, branch, options)
    if answer["status"] != "merged" or any(action["type"] == "undo" for action in [*log, *branch]):
        return
    again = ask([*log, resolving("merged", answer)], version, branch, options)
    assert again["status"] == "contained"
    assert again["table"] == answer["table"]
