"""What holds for every answer whatever it is about: methods, headers, request ids, other origins."""

import re
from uuid import UUID

import pytest

from tests.support.api import Api, Reply
from tests.support.operations import Operation, ask, document, named, operations, path_of
from tests.support.system import System
from tests.support.world import World, become_operator, new_world, plus_code

OPERATIONS = operations(document())
READS = [operation for operation in OPERATIONS if operation.method == "GET"]
PATHS = sorted({operation.path for operation in OPERATIONS})
REQUEST_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.fixture(scope="module")
def world(system: System) -> World:
    made = new_world(system.url, plus_code(system))
    become_operator(system, made)
    return made


def methods(path: str) -> set[str]:
    """What the document says the path takes, and what follows from that."""
    found = {operation.method for operation in OPERATIONS if operation.path == path}
    return found | {"OPTIONS"} | ({"HEAD"} if "GET" in found else set())


@pytest.mark.parametrize("path", PATHS)
def test_a_method_that_an_address_does_not_take_is_refused_with_those_it_takes(
    world: World, path: str
) -> None:
    address = path_of(next(one for one in OPERATIONS if one.path == path), world)
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} - methods(path):
        answer = world.api.call(method, address)
        assert (answer.status, answer.code) == (405, "method_not_allowed"), method
        assert set(re.split(r",\s*", answer.headers["Allow"])) == methods(path)


@pytest.mark.parametrize("operation", READS, ids=named)
def test_head_answers_as_get_does_without_a_body(world: World, operation: Operation) -> None:
    path = path_of(operation, world)
    read, head = world.api.get(path), world.api.call("HEAD", path)
    assert head.status == read.status == 200
    assert head.body == b""
    for name in ("Content-Type", "ETag", "Cache-Control", "Content-Language"):
        assert head.headers.get(name) == read.headers.get(name), name


@pytest.mark.parametrize("operation", OPERATIONS, ids=named)
def test_every_answer_carries_a_request_id_and_may_be_read_by_any_origin(
    system: System, world: World, operation: Operation
) -> None:
    """Asked for by the client, else a UUIDv7 of the gateway's; of answers and of refusals alike."""
    guest = Api(system.url)
    asked = {"X_Request_Id": REQUEST_ID, "Origin": "https://elsewhere.example"}
    refused = world.api.call("PUT", path_of(operation, world), **asked)
    for answer in (ask(operation, world, guest, **asked), refused):
        assert answer.headers["X-Request-Id"] == REQUEST_ID
        assert_open(answer)
    answer = ask(operation, world, guest, X_Request_Id="not an id")
    assert UUID(answer.headers["X-Request-Id"]).version == 7
    assert_open(answer)


@pytest.mark.parametrize("path", PATHS)
def test_a_script_of_another_origin_is_told_what_it_may_send(world: World, path: str) -> None:
    address = path_of(next(one for one in OPERATIONS if one.path == path), world)
    for method in methods(path) - {"OPTIONS"}:
        answer = Api(world.api.url).call(
            "OPTIONS",
            address,
            Origin="https://elsewhere.example",
            Access_Control_Request_Method=method,
            Access_Control_Request_Headers="authorization, content-type",
        )
        assert (answer.status, answer.body) == (204, b"")
        assert method in re.split(r",\s*", answer.headers["Access-Control-Allow-Methods"])
        allowed = answer.headers["Access-Control-Allow-Headers"].lower()
        for header in ("authorization", "content-type", "accept-language", "if-none-match", "last-event-id"):
            assert header in allowed
        assert_open(answer)
        assert answer.headers["X-Request-Id"]


def test_an_address_where_nothing_is_says_so_in_the_one_body(system: System) -> None:
    api = Api(system.url)
    for path in (
        "/v1",
        "/v2/games",
        "/v1/games/",
        "/v1//games",
        "/V1/games",
        "/v1/gamesX",
        "/v1/games/x/y/z",
    ):
        for method in ("GET", "POST", "DELETE", "OPTIONS"):
            answer = api.call(method, path)
            assert (answer.status, answer.code) == (404, "not_found"), (method, path)
            assert_open(answer)


def assert_open(answer: Reply) -> None:
    """Assert that any origin's script may read the answer, and that no cookie or credential goes along."""
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "X-Request-Id" in answer.headers["Access-Control-Expose-Headers"]
    assert "Set-Cookie" not in answer.headers
