"""The door over the stream: one request in, one answer or error code out."""

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.entrypoints.responder import handle
from services.rules.the_game.ruleset import NOT_COVERED, VERSION
from shared.contracts.bodies import RulesSay
from shared.contracts.messages import messages
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, ODD_JSON, REDO, UNDO, Json, lay

OPTIONS = {"players": 2, "difficulty": "normal", "reduced_hand": False, "first_seat": 0}
PLAYED = [lay("up1", 5, id="a1"), lay("up1", 6, id="a2")]


def _ask(*actions: Json, **body: Any) -> Json:
    asked = {
        "ruleset": "the-game",
        "rules_version": None,
        "options": OPTIONS,
        "state": None,
        "log": None,
        "actions": list(actions),
    }
    answer: Json = orjson.loads(orjson.dumps(handle(orjson.loads(orjson.dumps(asked | body)))))
    return answer


def test_a_new_game_starts_with_complete_options_and_nothing_to_undo() -> None:
    answer = _ask(options={"players": 2}, log=[])
    assert answer["options"] == OPTIONS
    assert answer["rules_version"] == VERSION
    assert answer["outcomes"] == []
    assert (answer["undo"], answer["redo"], answer["result"]) == (None, None, None)


def test_a_batch_stops_after_the_first_refused_action() -> None:
    answer = _ask(PLAYED[0], lay("up1", 4), PLAYED[1])
    assert [outcome["verdict"] for outcome in answer["outcomes"]] == ["accepted", "rejected"]
    assert answer["outcomes"][1]["code"] == "illegal_play"
    assert answer["table"]["piles"]["up1"]["top"] == 5
    assert answer["undo"] == {"target": "a1", "type": "play"}


def test_from_a_state_undo_names_the_last_accepted_action() -> None:
    state = _ask(*PLAYED)["state"]
    answer = _ask(DRAW | {"id": "a3"}, rules_version=VERSION, state=state)
    assert answer["undo"] == {"target": "a3", "type": "draw"}
    assert answer["redo"] is None


def test_from_a_state_nothing_is_said_about_undo_when_nothing_was_accepted() -> None:
    answer = _ask(END, state=_ask(*PLAYED)["state"])
    assert "undo" not in answer
    assert "redo" not in answer


def test_undo_and_redo_are_judged_from_the_log() -> None:
    answer = _ask({"type": "undo", "id": "u", "target": "a2"}, log=PLAYED)
    assert answer["outcomes"][0]["instructions"] == [
        {"kind": "take_back", "seat": 0, "pile": "up1", "card": 6}
    ]
    assert answer["undo"] == {"target": "a1", "type": "play"}
    assert answer["redo"] == {"target": "a2", "type": "play"}
    again = _ask({"type": "redo", "id": "r"}, log=[*PLAYED, {"type": "undo", "id": "u"}])
    assert again["undo"] == {"target": "a2", "type": "play"}
    assert again["state"] == _ask(*PLAYED)["state"]


def test_the_log_alone_gives_the_table_at_its_end() -> None:
    assert _ask(log=PLAYED)["table"] == _ask(*PLAYED)["table"]


def test_tables_come_when_asked_for() -> None:
    answer = _ask(*PLAYED, tables=True)
    assert [outcome["table"]["piles"]["up1"]["top"] for outcome in answer["outcomes"]] == [5, 6]
    assert all("table" not in outcome for outcome in _ask(*PLAYED)["outcomes"])


def test_the_result_comes_once_it_is_confirmed() -> None:
    assert _ask(BLOCK)["result"] is None
    assert _ask(BLOCK, CONFIRM)["result"] == {"outcome": "loss", "remaining": 98, "rating": "counted"}


def test_each_outcome_says_what_result_there_is_after_it() -> None:
    actions = [BLOCK, CONFIRM, UNDO, REDO, DRAW]
    outcomes = _ask(*actions)["outcomes"]
    assert [outcome.get("result", {}).get("rating") for outcome in outcomes] == [
        None, "counted", None, "counted", "counted",
    ]  # fmt: skip
    assert "result" not in outcomes[0]


def test_a_finished_log_alone_is_summed_up() -> None:
    log = [PLAYED[0], BLOCK, UNDO, BLOCK, CONFIRM]
    summary = _ask(log=log)["summary"]
    assert (summary["plays_per_turn"], summary["remaining"], summary["blocked_by"]) == ([1], 97, 0)
    assert _ask(CONFIRM, log=log[:-1])["outcomes"][0]["summary"] == summary
    assert _ask(log=log[:-1])["summary"] is None
    assert _ask(log=[*log, UNDO])["summary"] is None


def test_an_answer_with_a_summary_is_as_its_message_is_described() -> None:
    answer = _ask(PLAYED[0] | {"id": "a"}, BLOCK, CONFIRM | {"id": "c"}, log=[])
    assert RulesSay().validate(answer) == {}
    shown = next(it for it in messages() if it.name == "rules.say").examples[-1]
    assert answer["summary"].keys() == shown["summary"].keys()


def test_what_there_was_to_see_is_recalled_from_an_entry_of_the_log_on() -> None:
    log = [*PLAYED, {"type": "undo", "id": "u"}, BLOCK, CONFIRM]
    recalled = _ask(log=log, since=1)
    assert list(recalled) == ["rules_version", "after"]
    assert [seen["table"]["piles"]["up1"]["top"] for seen in recalled["after"]] == [6, 5, 5, 5]
    assert [seen["result"] for seen in recalled["after"]] == [
        None, None, None, {"outcome": "loss", "remaining": 97, "rating": "counted"},
    ]  # fmt: skip
    assert _ask(log=log, since=len(log))["after"] == []


def test_recalling_judges_nothing_again() -> None:
    """What was accepted under rules that were more lenient stays in the log and can be read."""
    log = [lay("up1", 50), lay("up1", 40, id="a"), lay("up1", 7, id="b")]
    assert _ask(log[2], log=log[:2])["outcomes"][0]["verdict"] == "rejected"
    assert _ask(log=log, since=2)["after"][0]["table"] == _ask(log=log)["table"]


@pytest.mark.parametrize("name", NOT_COVERED)
def test_variants_that_are_not_covered_are_refused_by_name(name: str) -> None:
    assert _ask(ruleset=name) == {"error": {"code": "variant_not_covered"}}


@pytest.mark.parametrize("name", ["chess", "", None, 5, ["the-game"], {}])
def test_other_rulesets_are_unknown(name: Any) -> None:
    assert _ask(ruleset=name) == {"error": {"code": "ruleset_unknown"}}


@pytest.mark.parametrize("version", ["0", "2", 1, True, [], {}])
def test_a_version_that_is_not_here_is_an_error(version: Any) -> None:
    assert _ask(rules_version=version) == {"error": {"code": "rules_version_unknown"}}


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"options": {"players": 9}}, "options"),
        ({"options": None}, "options"),
        ({"actions": None}, "actions"),
        ({"actions": [{"type": "fly"}]}, "actions"),
        ({"actions": [5]}, "actions"),
        ({"state": {}}, "state"),
        ({"state": 0}, "state"),
        ({"log": 0}, "log"),
        ({"log": [5]}, "log"),
        ({"log": [UNDO]}, "log"),
        ({"log": [REDO]}, "log"),
        ({"log": [lay("left", 5)]}, "log"),
        ({"log": [lay("up1", 500)]}, "log"),
        ({"log": PLAYED, "since": 3}, "since"),
        ({"log": PLAYED, "since": -1}, "since"),
        ({"log": PLAYED, "since": True}, "since"),
        ({"log": PLAYED, "since": "1"}, "since"),
        ({"log": PLAYED, "since": None}, "since"),
        ({"log": None, "since": 0}, "log"),
        ({"log": [lay("left", 5)], "since": 0}, "log"),
        ({"log": [UNDO], "since": 1}, "log"),
        ({"log": PLAYED, "since": 0, "options": {}}, "options"),
    ],
)
def test_a_malformed_body_is_answered_with_what_is_wrong(body: Json, place: str) -> None:
    answer = _ask(**body)
    assert answer["error"]["code"] == "validation_failed"
    assert list(answer["error"]["errors"]) == [place]


def test_undo_from_a_bare_state_is_malformed() -> None:
    assert _ask(UNDO, state=_ask(*PLAYED)["state"])["error"]["code"] == "validation_failed"


@given(ODD_JSON)
def test_anything_at_all_is_answered(body: Any) -> None:
    assert set(handle(body)) == {"error"}


FIELDS = ["ruleset", "rules_version", "options", "state", "log", "actions", "tables", "since"]


@given(st.dictionaries(st.sampled_from(FIELDS), ODD_JSON, min_size=1, max_size=3))
def test_odd_fields_are_answered(fields: Json) -> None:
    asked = {"ruleset": "the-game", "options": OPTIONS, "state": None, "log": None, "actions": PLAYED}
    answer = handle(asked | fields)
    assert set(answer) == {"error"} or ({"after"} if "since" in fields else {"state", "outcomes"}) <= set(
        answer
    )


LOGGED = st.sampled_from([DRAW, END, BLOCK, CONFIRM, UNDO, REDO, lay("up1", 5), lay("down2")])


@given(st.lists(LOGGED, max_size=30))
def test_a_log_that_was_never_accepted_is_answered_too(log: list[Json]) -> None:
    answer = handle({"ruleset": "the-game", "options": OPTIONS, "log": log, "actions": [lay("up1", 9)]})
    assert set(answer) == {"error"} or answer["rules_version"] == VERSION
