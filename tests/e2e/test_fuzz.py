"""Garbage in every place where something can be sent: refused, never a fault, and nothing of it stored."""

from collections.abc import Iterator

import orjson
import pytest
import urllib3

from tests.support.api import Api, Reply, action, new_game, patiently, play, send, sign_up, whole_log
from tests.support.mutations import DEPTH, at, mutants, places
from tests.support.operations import BODIES, Operation, body_of, document, named, operations, path_of
from tests.support.system import System
from tests.support.world import World, new_world, plus_code

DOCUMENT = document()
OPERATIONS = operations(DOCUMENT)
WITH_BODY = [operation for operation in OPERATIONS if operation.body]
WITHOUT_BODY = [one for one in OPERATIONS if not one.body and one.method in ("POST", "PATCH", "DELETE")]
TOO_LONG = 300 * 1024
OTHER_MEDIA_TYPES = (
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/problem+json",
    "application/jsonp",
    "application/json2; charset=utf-8",
    "application",
    "*/*",
    "",
)


@pytest.fixture(scope="module")
def world(system: System) -> World:
    return new_world(system.url, plus_code(system))


@pytest.mark.parametrize("operation", WITH_BODY, ids=named)
def test_the_body_to_start_from_has_every_field_of_its_schema(world: World, operation: Operation) -> None:
    body = BODIES[operation.name](world)
    held = {path[-1] for path in places(body) if path and isinstance(path[-1], str)}
    assert fields(operation.body) <= held


@pytest.mark.parametrize("operation", WITH_BODY, ids=named)
def test_garbage_in_any_field_is_refused_and_nothing_is_stored(system: System, operation: Operation) -> None:
    # Of its own: what is valid changes it, and names reach seats later.
    world = new_world(system.url, plus_code(system))
    found = list(mutants(BODIES[operation.name](world), operation.body or {}, DOCUMENT["components"]))
    before = world.snapshot()
    for mutant in found:
        if not mutant.is_valid:
            answer = post(world, operation, mutant.body)
            assert answer.code in ("validation_failed", "malformed_body"), (mutant.label, answer.body)
            assert answer.status in operation.statuses, mutant.label
    assert world.snapshot() == before
    for mutant in found:
        if mutant.is_valid:
            answer = post(world, operation, mutant.body)
            assert answer.status < 500, (mutant.label, answer.body)
            assert answer.status in operation.statuses, (mutant.label, answer.body)
            assert answer.status < 400 or answer.code, mutant.label


@pytest.mark.parametrize("operation", WITH_BODY, ids=named)
def test_a_body_that_is_no_json_object_in_utf_8_is_refused(world: World, operation: Operation) -> None:
    good = orjson.dumps(body_of(operation, world))
    unreadable = {
        "a byte that is no UTF-8": b'{"name": "\xff"}',
        "an overlong slash": b'{"name": "\xc0\xaf"}',
        "a surrogate in UTF-8": b'{"name": "\xed\xa0\x80"}',
        "half a character": b'{"name": "\xe2\x82"}',
        "UTF-16": good.decode().encode("utf-16"),
        "a byte order mark": b"\xef\xbb\xbf" + good,
        "half of it": good[: len(good) // 2],
        "twice": good + good,
        "something behind": good + b"x",
        "a comma too much": good[:-1] + b",}",
        "single quotes": good.replace(b'"', b"'"),
        "a comment": b"/* */" + good,
        "NUL": b"\0",
        "NUL behind": good + b"\0",
        "100,000 lists": b"[" * 100_000 + b"]" * 100_000,
        "100,000 lists without end": b"[" * 100_000,
        "100,000 objects": b'{"a":' * 40_000 + b"1" + b"}" * 40_000,
    }
    misshapen = {
        "a list": b"[]",
        "a list of it": b"[" + good + b"]",
        "null": b"null",
        "a text": b'"x"',
        "a number": b"1",
        "true": b"true",
        "deep lists": b"[" * DEPTH + b"]" * DEPTH,
        "nameless": b'{"": 1}',
        "a prototype": b'{"__proto__": {}, "constructor": 1}',
    }
    before = world.snapshot()
    for label, body in unreadable.items():
        answer = post(world, operation, body)
        assert (answer.status, answer.code) == (400, "malformed_body"), label
    for label, body in misshapen.items():
        answer = post(world, operation, body)
        assert (answer.status, answer.code) == (422, "validation_failed"), label
    assert world.snapshot() == before


@pytest.mark.parametrize("operation", WITH_BODY, ids=named)
def test_no_body_at_all_is_refused(world: World, operation: Operation) -> None:
    before = world.snapshot()
    for body in (b"", b" ", b"\n\n", b"{}"):
        answer = post(world, operation, body)
        if operation.name in ("change_me", "change_player") and body in (b"", b"{}"):
            assert answer.status == 200, "changing nothing is allowed"
        else:
            assert answer.code in ("validation_failed", "malformed_body"), body
    assert world.snapshot() == before


@pytest.mark.parametrize("operation", WITH_BODY, ids=named)
def test_a_body_of_another_media_type_is_refused(world: World, operation: Operation) -> None:
    before = world.snapshot()
    good = orjson.dumps(body_of(operation, world))
    for media_type in OTHER_MEDIA_TYPES:
        answer = post(world, operation, good, Content_Type=media_type)
        assert (answer.status, answer.code) == (415, "unsupported_media_type"), media_type
    answer = post(world, operation, good, Content_Encoding="gzip")
    assert (answer.status, answer.code) == (415, "unsupported_media_type")
    assert world.snapshot() == before


@pytest.mark.parametrize("operation", [*WITH_BODY, *WITHOUT_BODY], ids=named)
def test_a_body_of_300_kib_is_refused_whether_its_length_is_told_or_not(
    world: World, operation: Operation
) -> None:
    before = world.snapshot()
    good = orjson.dumps(body_of(operation, world) or {})
    body = good + b" " * (TOO_LONG - len(good))
    answer = post(world, operation, body)
    assert (answer.status, answer.code) == (413, "body_too_large")
    answer = post_in_pieces(world, operation, body)
    assert (answer.status, answer.code) == (413, "body_too_large")
    assert world.snapshot() == before


def test_a_body_of_256_kib_sharp_is_read_in_pieces_and_whole(world: World) -> None:
    operation = next(one for one in OPERATIONS if one.name == "create_player")
    for send_it in (post, post_in_pieces):
        good = orjson.dumps(body_of(operation, world))
        assert send_it(world, operation, good + b" " * (256 * 1024 - len(good))).status == 201
        good = orjson.dumps(body_of(operation, world))
        assert send_it(world, operation, good + b" " * (256 * 1024 - len(good) + 1)).status == 413


@pytest.mark.parametrize("field", ["pile", "card"])
@pytest.mark.parametrize("depth", [1, 100, 250, 260, DEPTH, 1019, 1020, 1021, 1024, 5_000])
def test_however_deep_a_pile_or_card_is_it_is_none_and_nothing_is_stored(
    system: System, field: str, depth: int
) -> None:
    api = sign_up(system.url)
    game = new_game(api)
    path = f"/v1/games/{game['id']}/actions"
    code = {"pile": "pile_unknown", "card": "card_out_of_range"}[field]
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        deep = opening * depth + (b"1" if opening != b"[" else b"") + closing * depth
        laid = play("up1") | {field: "here"}
        written = orjson.dumps({"actions": [laid]})
        answer = api.call("POST", path, body=written.replace(b'"here"', deep))
        assert answer.code in (code, "malformed_body")
        assert answer.code == code or depth > DEPTH, "1,000 levels are still read"
        log = orjson.dumps({"options": {"players": 1}, "actions": [laid]})
        answer = api.call("POST", "/v1/rulesets/the-game/evaluate", body=log.replace(b'"here"', deep))
        if answer.status == 200:
            assert [one["code"] for one in answer.json["outcomes"]] == [code]
        else:
            assert answer.code == "malformed_body"
            assert depth > DEPTH
    assert whole_log(api, game["id"]) == []
    assert api.get(f"/v1/games/{game['id']}").json == game


@pytest.mark.parametrize("value", [2**53 + 1, 2**64, 2**200, -(2**70), 10**400, 7.0, 1e308, "7", True, [7]])
def test_a_card_is_a_whole_number_from_2_to_99_however_it_is_written(system: System, value: object) -> None:
    api = sign_up(system.url)
    game = new_game(api)
    written = orjson.dumps({"actions": [play("up1") | {"card": "here"}]})
    body = written.replace(b'"here"', str(value).encode() if type(value) is int else orjson.dumps(value))
    answer = api.call("POST", f"/v1/games/{game['id']}/actions", body=body)
    assert answer.code in ("card_out_of_range", "malformed_body")
    assert whole_log(api, game["id"]) == []


def test_of_a_name_given_twice_the_last_one_counts(system: System) -> None:
    """As every reader of JSON here takes it, so that no two of them can be told different things."""
    world = new_world(system.url)
    body = b'{"name": "Ana", "name": "Berta", "colour": "#000000", "colour": "#ffffff"}'
    made = world.api.call("POST", "/v1/players", body=body).json
    assert (made["name"], made["colour"]) == ("Berta", "#ffffff")
    first, last = play("up1", 6), play("up1", 9)
    body = b'{"actions": [%b], "actions": [%b]}' % (orjson.dumps(first), orjson.dumps(last))
    answer = world.api.call("POST", f"/v1/games/{world.game_id}/actions", body=body).json
    assert [one["action_id"] for one in answer["outcomes"]] == [last["id"]]


def test_more_actions_than_a_request_may_hold_are_refused_as_a_whole(system: System) -> None:
    world = new_world(system.url)
    before = world.snapshot()
    for count in (0, 201, 1_001):
        answer = send(world.api, world.game_id, [play("up1", 50) for _ in range(count)])
        assert answer.code == "validation_failed", count
    assert world.snapshot() == before
    log = {"options": {"players": 1}, "actions": [{"type": "draw"}] * 1_001}
    assert Api(world.api.url).post("/v1/rulesets/the-game/evaluate", log).code == "validation_failed"
    log["actions"] = [{"type": "draw"}] * 1_000
    answer = Api(world.api.url).post("/v1/rulesets/the-game/evaluate?tables=true", log)
    assert len(answer.json["outcomes"]) == 1_000
    laid = [one for _ in range(100) for one in (play("up1", 50), action("undo"))]
    assert send(world.api, world.game_id, laid).json["version"] == 201


def post(world: World, operation: Operation, body: bytes, **headers: str) -> Reply:
    """The operation with `body` as it is."""
    path = path_of(operation, world)
    return patiently(lambda: world.api.call(operation.method, path, body=body, **headers))


def post_in_pieces(world: World, operation: Operation, body: bytes) -> Reply:
    """The operation with `body` in chunks, its length not told."""

    def pieces() -> Iterator[bytes]:
        for start in range(0, len(body), 16_384):
            yield body[start : start + 16_384]

    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {world.api.token}"}
    answer = urllib3.request(
        operation.method,
        world.api.url + path_of(operation, world),
        body=pieces(),
        headers=headers,
        retries=False,
    )
    return Reply(answer.status, answer.headers, answer.data)


def fields(schema: object) -> set[str]:
    """The names of all properties in `schema`, through its references."""
    if isinstance(schema, list):
        return {name for one in schema for name in fields(one)}
    if not isinstance(schema, dict):
        return set()
    if "$ref" in schema:
        return fields(at(DOCUMENT, tuple(str(schema["$ref"]).split("/")[1:])))
    found = set(schema.get("properties", {}))
    for name, one in schema.items():
        found |= fields(list(one.values()) if name == "properties" else one)
    return found
