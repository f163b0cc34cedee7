"""What the gateway refuses itself, before any service hears of it."""

import json

import pytest

from gateway.routes import ROUTES
from shared.contracts.problems import CODES, LANGUAGES, details
from shared.web.wire import BODY_LIMIT
from tests.integration.gateway.conftest import Behind, Visitor

ACTIONS = "/v1/games/1/actions"
FIELDS = {"type", "title", "status", "detail", "code", "request_id"}


@pytest.fixture(autouse=True)
def _nothing_gets_through(behind: Behind):
    yield
    assert not behind.sessions.received + behind.accounts.received + behind.rules.received


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/games/",
        "/v1/games/..",
        "/v1/games/../me",
        "/v1//games",
        "/v1/games/%2e%2e",
        "/v1/games/a%2Fb",
        "/v1/games/1/branches",
        "/v1/statistics",
        "/v1/games/é",
        f"/v1/games/{'1' * 65}",
        "/internal/anything",
        "/metrics",
        "/docs/../pages.py",
        "/docs/nothing.js",
    ],
)
def test_a_path_that_is_not_on_the_map_is_not_found(visitor: Visitor, path: str) -> None:
    reply = visitor.get(path)
    assert (reply.status_code, reply.json["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/games/1", "DELETE, GET, HEAD, OPTIONS"),
        ("GET", ACTIONS, "OPTIONS, POST"),
        ("TRACE", "/v1/me", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("POST", "/docs", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(
    visitor: Visitor, method: str, path: str, allowed: str
) -> None:
    reply = visitor.open(path, method=method)
    assert (reply.status_code, reply.json["code"]) == (405, "method_not_allowed")
    assert reply.headers["Allow"] == allowed


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_a_body_that_is_too_large_is_refused_on_every_route(visitor: Visitor, route) -> None:
    reply = visitor.open(
        route.path.replace("{", "").replace("}", "").replace("_", ""),
        method=route.method,
        data=b"x" * (BODY_LIMIT + 1),
        content_type="application/json",
    )
    assert (reply.status_code, reply.json["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("length", ["-1", "many", "1e3", str(10**30)])
def test_a_length_that_is_none_is_refused(visitor: Visitor, length: str) -> None:
    reply = visitor.post(ACTIONS, environ_overrides={"CONTENT_LENGTH": length})
    assert reply.status_code == 413


@pytest.mark.parametrize(
    "media_type", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "json"]
)
def test_a_body_that_does_not_say_it_is_json_is_refused(visitor: Visitor, media_type: str) -> None:
    reply = visitor.post(ACTIONS, data=b"{}", content_type=media_type)
    assert (reply.status_code, reply.json["code"]) == (415, "unsupported_media_type")


def test_a_compressed_body_is_refused(visitor: Visitor) -> None:
    reply = visitor.post(
        ACTIONS, data=b"{}", content_type="application/json", headers={"Content-Encoding": "gzip"}
    )
    assert reply.status_code == 415


@pytest.mark.parametrize("name", ["access_token", "token", "refresh_token", "Access_Token", "%74oken"])
def test_a_token_in_an_address_is_refused(visitor: Visitor, name: str) -> None:
    reply = visitor.get(f"/v1/games?limit=5&{name}=not-to-be-told")
    assert (reply.status_code, reply.json["code"]) == (422, "validation_failed")
    assert "not-to-be-told" not in reply.text


def test_a_query_too_long_for_the_servers_behind_is_refused(visitor: Visitor) -> None:
    assert visitor.get(f"/v1/games?cursor={'x' * 3000}").status_code == 422


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_speaks_the_language_that_was_asked_for(visitor: Visitor, language: str) -> None:
    reply = visitor.get("/nothing", headers={"Accept-Language": f"{language}-XX, en;q=0.5"})
    assert reply.json["detail"] == details(language)["not_found"]
    assert reply.headers["Content-Language"] == language


def test_every_refusal_has_the_one_body(visitor: Visitor) -> None:
    for reply in (
        visitor.get("/nothing"),
        visitor.put("/v1/me"),
        visitor.post(ACTIONS, data=b"x"),
        visitor.get("/v1/me?token=1"),
    ):
        assert reply.content_type == "application/problem+json"
        assert set(reply.json) >= FIELDS
        assert reply.json["type"] == f"/problems/{reply.json['code']}"
        assert reply.json["status"] == reply.status_code == CODES[reply.json["code"]].status
        assert reply.json["request_id"] == reply.headers["X-Request-Id"]


def test_a_head_request_is_refused_without_a_body(visitor: Visitor) -> None:
    reply = visitor.head("/nothing")
    assert (reply.status_code, reply.data) == (404, b"")
    assert int(reply.headers["Content-Length"]) > len(json.dumps(sorted(FIELDS)))


def test_a_body_that_ends_too_early_is_refused(visitor: Visitor) -> None:
    reply = visitor.post(
        ACTIONS, data=b"{}", content_type="application/json", environ_overrides={"CONTENT_LENGTH": "10"}
    )
    assert (reply.status_code, reply.json["code"]) == (400, "malformed_body")


def test_a_fault_of_the_gateway_itself_is_a_problem_too(visitor: Visitor) -> None:
    reply = visitor.post(ACTIONS, data=b"{}", environ_overrides={"wsgi.input": "not a file"})
    assert (reply.status_code, reply.json["code"]) == (500, "internal_error")
