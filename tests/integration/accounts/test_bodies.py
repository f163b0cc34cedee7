"""Bodies and requests that are broken as such: always a problem document, never a 5xx."""

import json

import pytest

from tests.integration.accounts.world import Answer, Person, World, is_refused

BODY = json.dumps({"email": "a@example.org", "password": "correct horse battery"}).encode()


def send(world: World, data: bytes, content_type: str | None = "application/json") -> Answer:
    return world.call("POST", "/v1/auth/tokens", data=data, content_type=content_type)


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"\xff\xfe",
        b'{"email": "\xff"}',
        b'{"email": "\\ud800", "password": "xxxxxxxxxx"}',
        b'{"email": NaN, "password": "xxxxxxxxxx"}',
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"{'email': 'a@b'}",
        b"\x00",
    ],
)
def test_what_is_no_json_is_malformed(world: World, data: bytes) -> None:
    assert is_refused(send(world, data), 400, "malformed_body")


@pytest.mark.parametrize(
    "data", [b"[]", b"5", b"null", b'"x"', b"1" * 5000, b'{"email": 1e999, "password": []}', b"[[[[[]]]]]"]
)
def test_json_that_is_no_such_body_is_refused_with_a_4xx(world: World, data: bytes) -> None:
    answer = send(world, data)
    assert answer.status_code in (400, 422)
    assert is_refused(answer, answer.status_code, answer.json["code"])


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", None]
)
def test_another_media_type_is_not_read(world: World, content_type: str | None) -> None:
    assert is_refused(send(world, BODY, content_type), 415, "unsupported_media_type")


def test_a_body_over_256_kib_is_too_large(world: World, anna: Person) -> None:
    padding = json.dumps({"name": "x" * 300_000}).encode()
    assert is_refused(send(world, padding), 413, "body_too_large")
    answer = anna.call("POST", "/v1/players", data=padding, content_type="application/json")
    assert is_refused(answer, 413, "body_too_large")


def test_another_method_is_told_which_there_are(world: World) -> None:
    answer = world.call("PUT", "/v1/me", {})
    assert is_refused(answer, 405, "method_not_allowed")
    assert {"GET", "PATCH", "DELETE"} <= set(answer.headers["Allow"].split(", "))


def test_what_is_not_there_is_not_found(world: World) -> None:
    assert is_refused(world.call("GET", "/v1/nothing"), 404, "not_found")


@pytest.mark.parametrize("language", ["en", "es", "it", "pt", "fr", "de", "sl"])
def test_a_refusal_answers_in_the_language_asked_for(world: World, language: str) -> None:
    answer = world.call("GET", "/v1/me", headers={"Accept-Language": language})
    assert is_refused(answer, 401, "unauthenticated")
    assert answer.json["detail"]
    assert "Accept-Language" in answer.headers["Vary"]
