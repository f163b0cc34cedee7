"""The HTTP API of rules over the real app."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import services.rules
from services.rules.bootstrap import web_app
from services.rules.entrypoints.documents import YardstickOut
from services.rules.the_game.ruleset import NOT_COVERED, figures
from services.rules.the_game.yardstick import read, selected
from shared.web.openapi import document, write
from tests.unit.rules.builders import BLOCK, CONFIRM, UNDO, Json, lay

OPTIONS = {"players": 2, "difficulty": "normal", "reduced_hand": False, "first_seat": 0}
EVALUATE = "/v1/rulesets/the-game/evaluate"


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return web_app().test_client()


def _evaluate(client: FlaskClient, *actions: Any, query: str = "", **body: Any) -> TestResponse:
    return client.post(EVALUATE + query, json={"options": OPTIONS, "actions": list(actions)} | body)


def _refused(answer: TestResponse, status: int, code: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"
    problem: dict[str, Any] = answer.get_json()
    assert problem["code"] == code
    return problem


def test_the_list_names_the_game_and_ends_there(client: FlaskClient) -> None:
    page = client.get("/v1/rulesets").get_json()
    assert [item["name"] for item in page["items"]] == ["the-game"]
    assert page["next_cursor"] is None
    assert client.get("/v1/rulesets?limit=1&cursor=the-game").get_json() == {"items": [], "next_cursor": None}


def test_the_ruleset_describes_itself(client: FlaskClient) -> None:
    ruleset = client.get("/v1/rulesets/the-game").get_json()
    assert ruleset["options"]["players"] == {"values": [1, 2, 3, 4, 5]}
    assert ruleset["options"]["difficulty"] == {"values": ["normal", "expert"], "default": "normal"}
    assert [pile["start"] for pile in ruleset["piles"]] == [1, 1, 100, 100]
    assert ruleset["hand_sizes"]["normal"] == {"1": 8, "2": 7, "3": 6, "4": 6, "5": 6}
    assert ruleset["cards"] == {"lowest": 2, "highest": 99, "count": 98}
    assert ruleset["version"] == "1"
    assert ruleset["not_covered"] == list(NOT_COVERED)


def test_the_yardstick_has_every_row_of_the_committed_data(client: FlaskClient) -> None:
    answer = client.get("/v1/stats/yardstick").get_json()
    assert answer == selected(read(), {})
    assert {"items", "strategies", "rules_version", "command"} <= answer.keys()


def test_the_yardstick_is_answered_for_one_kind_of_table(client: FlaskClient) -> None:
    query = "?players=3&difficulty=expert&reduced_hand=false&strategy=least_step"
    (row,) = client.get(f"/v1/stats/yardstick{query}").get_json()["items"]
    assert (row["players"], row["difficulty"], row["reduced_hand"]) == (3, "expert", False)
    assert sum(row["histogram"]) == row["games"]
    assert len(client.get("/v1/stats/yardstick?reduced_hand=true&players=1").get_json()["items"]) == 6


def test_every_row_of_the_yardstick_is_as_it_is_documented(client: FlaskClient) -> None:
    assert YardstickOut().validate(client.get("/v1/stats/yardstick").get_json()) == {}


@pytest.mark.parametrize(
    "query",
    [
        "?players=0",
        "?players=6",
        "?players=two",
        "?difficulty=easy",
        "?reduced_hand=maybe",
        "?by=players",
        "?strategy=",
        "?strategy=best",
    ],
)
def test_a_yardstick_that_there_is_not_is_refused(client: FlaskClient, query: str) -> None:
    _refused(client.get(f"/v1/stats/yardstick{query}"), 422, "validation_failed")


@pytest.mark.parametrize("name", ["on-fire", "chess", "The-Game"])
def test_no_other_ruleset_is_found(client: FlaskClient, name: str) -> None:
    _refused(client.get(f"/v1/rulesets/{name}"), 404, "not_found")


def test_evaluating_a_variant_that_is_not_covered_is_refused_by_name(client: FlaskClient) -> None:
    body = {"options": OPTIONS, "actions": []}
    _refused(client.post("/v1/rulesets/on-fire/evaluate", json=body), 422, "variant_not_covered")
    _refused(client.post("/v1/rulesets/chess/evaluate", json=body), 404, "not_found")


def test_evaluation_never_stops_and_answers_one_outcome_per_action(client: FlaskClient) -> None:
    actions = [lay("up1", 5, id="a"), lay("up1", 4, id="b"), lay("up1", 6, id="a"), UNDO, BLOCK, CONFIRM]
    answer = _evaluate(client, *actions).get_json()
    assert [outcome["verdict"] for outcome in answer["outcomes"]] == [
        "accepted",
        "rejected",
        "accepted",
        "accepted",
        "accepted",
        "accepted",
    ]
    assert [outcome["action_id"] for outcome in answer["outcomes"]] == ["a", "b", "a", None, None, None]
    assert answer["outcomes"][1]["code"] == "illegal_play"
    assert all("table" not in outcome for outcome in answer["outcomes"])
    assert answer["start"]["remaining"] == 98
    assert answer["table"]["status"] == "finished"
    assert answer["result"] == {"outcome": "loss", "remaining": 97, "rating": "counted"}


def test_the_summary_comes_with_the_result(client: FlaskClient) -> None:
    log = [lay("up1", 5), BLOCK, CONFIRM]
    assert _evaluate(client, *log[:-1]).get_json()["summary"] is None
    assert _evaluate(client, *log).get_json()["summary"] == {
        **OPTIONS,
        "outcome": "loss",
        "remaining": 97,
        "rating": "counted",
        "turns": 1,
        "plays_per_turn": [1],
        "back_tens": dict.fromkeys(("up1", "up2", "down1", "down2"), 0),
        "largest_jump": 4,
        "control": "full",
        "deck": 84,
        "hands": [6, 7],
        "blocked_by": 0,
        "rules_version": "1",
    }


def test_tables_come_with_the_outcomes_when_asked_for(client: FlaskClient) -> None:
    answer = _evaluate(client, lay("up1", 5), query="?tables=true").get_json()
    assert answer["outcomes"][0]["table"] == answer["table"]
    assert answer["table"]["piles"]["up1"] == {
        "direction": "up",
        "top": 5,
        "playable": list(range(6, 100)),
        "uncertain": [],
    }


def test_no_action_is_an_evaluation_too(client: FlaskClient) -> None:
    answer = _evaluate(client).get_json()
    assert answer["outcomes"] == []
    assert answer["table"] == answer["start"]


def test_a_thousand_actions_are_judged_and_one_more_is_refused(client: FlaskClient) -> None:
    assert len(_evaluate(client, *[BLOCK, UNDO] * 500).get_json()["outcomes"]) == 1000
    _refused(_evaluate(client, *[BLOCK] * 1001), 422, "validation_failed")


def test_a_body_at_the_limits_of_its_size_is_answered(client: FlaskClient) -> None:
    label = "x" * 64
    actions = [lay("up1", 5, id=label) for _ in range(1000)]
    assert _evaluate(client, *actions, query="?tables=true").status_code == 200


@pytest.mark.parametrize("options", [None, [], {}, OPTIONS | {"players": 6}, OPTIONS | {"first_seat": 2}])
def test_wrong_options_are_not_valid(client: FlaskClient, options: Any) -> None:
    _refused(_evaluate(client, options=options), 422, "validation_failed")


def test_options_left_out_have_their_defaults(client: FlaskClient) -> None:
    assert _evaluate(client, options={"players": 5}).get_json()["start"]["hands"] == [6] * 5


@pytest.mark.parametrize(
    "action",
    [
        None,
        [],
        "draw",
        {},
        {"type": "fly"},
        {"type": ["draw"]},
        {"type": "draw", "card": 5},
        {"type": "play", "target": "a"},
        lay("up1", 5, confirmed="true"),
        lay("up1", 5, confirmed=None),
        lay("up1", 5, confirmed=1),
        lay("up1", 5, id=""),
        lay("up1", 5, id="x" * 65),
        lay("up1", 5, id=5),
        {"type": "undo", "target": ""},
        {"type": "undo", "target": "x" * 65},
        {"type": "undo", "target": 5},
    ],
)
def test_a_malformed_action_makes_the_body_not_valid_and_is_named(client: FlaskClient, action: Any) -> None:
    problem = _refused(_evaluate(client, BLOCK, action), 422, "validation_failed")
    assert list(problem["errors"]["json"]["actions"]) == ["1"]


def test_the_clock_of_the_client_is_accepted_and_ignored(client: FlaskClient) -> None:
    answer = _evaluate(client, BLOCK | {"at": "2026-01-31T20:15:00+01:00"}).get_json()
    assert answer["outcomes"][0]["verdict"] == "accepted"


@pytest.mark.parametrize("body", [{}, {"options": OPTIONS}, {"actions": []}, {"extra": 1}, {"actions": {}}])
def test_fields_are_neither_missing_nor_unknown(client: FlaskClient, body: Json) -> None:
    whole = {"options": OPTIONS, "actions": []}
    sent = whole | body if "extra" in body or body.get("actions") == {} else body
    _refused(client.post(EVALUATE, json=sent), 422, "validation_failed")


@pytest.mark.parametrize("query", ["?tables=maybe", "?tables=", "?table=true"])
def test_queries_are_checked(client: FlaskClient, query: str) -> None:
    _refused(_evaluate(client, query=query), 422, "validation_failed")


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        (b"", 422, "validation_failed"),
        (b"[]", 422, "validation_failed"),
        (b"null", 422, "validation_failed"),
        (b'"text"', 422, "validation_failed"),
        (b"{", 400, "malformed_body"),
        (b"[" * 100_000, 400, "malformed_body"),
        (
            b'{"options": {"players": 2}, "actions": [{"type": "draw", "id": "\\ud800"}]}',
            400,
            "malformed_body",
        ),
        (b'{"options": {"players": NaN}, "actions": []}', 400, "malformed_body"),
        (b" " * 300_000, 413, "body_too_large"),
    ],
)
def test_odd_bodies_are_problems_of_the_sender(
    client: FlaskClient, raw: bytes, status: int, code: str
) -> None:
    _refused(client.post(EVALUATE, data=raw, content_type="application/json"), status, code)


def test_a_body_that_is_not_utf_8_is_a_problem_of_the_sender(client: FlaskClient) -> None:
    answer = client.post(EVALUATE, data=b"\xff\xfe", content_type="application/json")
    assert answer.status_code in (400, 422)
    assert answer.content_type == "application/problem+json"


def test_another_media_type_is_refused(client: FlaskClient) -> None:
    _refused(client.post(EVALUATE, data="{}", content_type="text/plain"), 415, "unsupported_media_type")


def test_huge_numbers_are_judged_as_cards(client: FlaskClient) -> None:
    raw = b'{"options": {"players": 2}, "actions": [{"type": "play", "pile": "up1", "card": 1%s}]}' % (
        b"0" * 300
    )
    answer = client.post(EVALUATE, data=raw, content_type="application/json")
    assert answer.get_json()["outcomes"][0]["code"] == "card_out_of_range"


def test_the_service_is_live_and_ready(client: FlaskClient) -> None:
    assert client.get("/live").status_code == 200
    assert client.get("/ready").status_code == 200


def test_the_document_is_the_committed_one(client: FlaskClient) -> None:
    committed = Path(services.rules.__path__[0]) / "openapi.json"
    assert committed.read_text(encoding="utf-8") == write(client.application), (
        "run `python -m services.rules openapi`"
    )


def test_the_document_shows_the_rulesets_and_their_options(client: FlaskClient) -> None:
    paths = document(client.application)["paths"]
    assert set(paths) == {
        "/v1/rulesets",
        "/v1/rulesets/{ruleset}",
        "/v1/rulesets/{ruleset}/guide",
        "/v1/rulesets/{ruleset}/guide/{figure}.svg",
        "/v1/rulesets/{ruleset}/evaluate",
        "/v1/stats/yardstick",
    }
    for name in ("/v1/rulesets/{ruleset}", "/v1/rulesets/{ruleset}/evaluate"):
        assert [one["schema"]["enum"] for one in paths[name]["parameters"]] == [["the-game"]]
    drawing = paths["/v1/rulesets/{ruleset}/guide/{figure}.svg"]
    assert [one["schema"]["enum"] for one in drawing["parameters"]] == [["the-game"], sorted(figures())]
    assert "integer" in json.dumps(document(client.application)["components"]["schemas"]["EvaluateIn"])
