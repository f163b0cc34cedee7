"""Several documents become one: what is on the map, each name meaning one thing."""

from typing import Any

import pytest

from gateway import live_operation
from gateway.openapi import Undocumented, merge
from gateway.routes import ROUTES, Auth, Route
from gateway.schemas import reached, unify

GAMES = Route("GET", "/v1/games/{game_id}", "read_game", "sessions", "Games")
RULES = Route("GET", "/v1/rulesets", "list_rulesets", "rules", "Rules", auth=Auth.PUBLIC)
PROBLEM = {"Problem": {"type": "object"}}


def reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def document(path: str, schema: str, schemas: dict[str, Any], method: str = "get") -> dict[str, Any]:
    answers = {"200": {"description": "ok", "content": {"application/json": {"schema": reference(schema)}}}}
    return {
        "paths": {path: {method: {"tags": ["x"], "responses": answers}}},
        "components": {"schemas": PROBLEM | schemas},
    }


def schema_of(merged: dict[str, Any], path: str) -> str:
    content = merged["paths"][path]["get"]["responses"]["200"]["content"]
    return str(content["application/json"]["schema"]["$ref"]).rpartition("/")[2]


def merged_from(sessions: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    documents = {
        "sessions": document("/v1/games/{id}", "Item", sessions),
        "rules": document("/v1/rulesets", "Item", rules),
    }
    return merge(documents, [GAMES, RULES])


def test_one_name_for_one_thing_is_kept() -> None:
    merged = merged_from({"Item": {"type": "string"}}, {"Item": {"type": "string"}})
    assert schema_of(merged, "/v1/games/{id}") == schema_of(merged, "/v1/rulesets") == "Item"


def test_one_name_for_two_things_becomes_two_names() -> None:
    merged = merged_from({"Item": {"type": "string"}}, {"Item": {"type": "integer"}})
    schemas = merged["components"]["schemas"]
    assert schemas[schema_of(merged, "/v1/games/{id}")] == {"type": "string"}
    assert schemas[schema_of(merged, "/v1/rulesets")] == {"type": "integer"}
    assert "Item" not in schemas


def test_a_thing_that_refers_to_two_things_by_one_name_is_two_things_itself() -> None:
    item = {"properties": {"inner": reference("Inner")}}
    _, schemas = unify(
        {
            "sessions": document("/a", "Item", {"Item": item, "Inner": {"type": "string"}}),
            "rules": document("/b", "Item", {"Item": item, "Inner": {"type": "integer"}}),
        }
    )
    assert schemas["SessionsItem"] == {"properties": {"inner": reference("SessionsInner")}}
    assert schemas["RulesItem"] == {"properties": {"inner": reference("RulesInner")}}


def test_what_is_not_on_the_map_is_left_out_with_its_schemas() -> None:
    sessions = document("/v1/games/{id}", "Item", {"Item": {}, "Secret": {}})
    sessions["paths"]["/internal"] = document("/internal", "Secret", {})["paths"]["/internal"]
    sessions["paths"]["/v1/games/{id}"]["put"] = sessions["paths"]["/internal"]["get"]
    merged = merge({"sessions": sessions}, [GAMES])
    assert "/internal" not in merged["paths"]
    assert list(merged["paths"]["/v1/games/{id}"]) == ["get"]
    assert "Secret" not in merged["components"]["schemas"]


def test_a_route_that_nobody_describes_is_an_error() -> None:
    with pytest.raises(Undocumented, match="GET /v1/rulesets"):
        merge({"sessions": document("/v1/games/{id}", "Item", {"Item": {}})}, [GAMES, RULES])


def test_a_route_described_by_another_service_is_not_described() -> None:
    with pytest.raises(Undocumented):
        merge({"rules": document("/v1/games/{id}", "Item", {"Item": {}})}, [GAMES])


def test_each_operation_says_who_may_ask_and_what_the_gateway_may_answer() -> None:
    merged = merged_from({"Item": {}}, {"Item": {}})
    game, rules = (merged["paths"][path]["get"] for path in ("/v1/games/{id}", "/v1/rulesets"))
    assert (game["operationId"], game["tags"], game["security"]) == ("read_game", ["Games"], [{"bearer": []}])
    assert rules["security"] == []
    assert set(game["responses"]) >= {"200", "401", "404", "405", "413", "415", "422", "429", "500", "503"}
    assert "401" not in rules["responses"]


def test_references_are_followed_to_the_end_and_in_circles() -> None:
    schemas = {"A": {"x": reference("B")}, "B": {"y": [reference("A"), reference("C")]}, "C": {}, "D": {}}
    assert reached(reference("A"), schemas) == {"A", "B", "C"}


def test_the_live_stream_is_described_though_no_service_does_it() -> None:
    live = next(route for route in ROUTES if route.lasts)
    found = {"live": live_operation.document(), "rules": document("/v1/rulesets", "Item", {"Item": {}})}
    operation = merge(found, [live])["paths"][live.path]["get"]
    assert list(operation["responses"]["200"]["content"]) == ["text/event-stream"]
    assert {(it["name"], it["in"]) for it in operation["parameters"]} == {
        ("game_id", "path"),
        ("after", "query"),
        ("Last-Event-ID", "header"),
    }
