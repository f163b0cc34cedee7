"""Services that are away, slow or break off: asked again where that is safe, else a 503 with Retry-After."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from gateway import bootstrap
from gateway.breaker import FAILURES
from gateway.routes import ROUTES
from tests.integration.gateway.conftest import Behind, Visitor
from tests.integration.gateway.standin import Standin, answer, first, hang_up, hang_up_inside, lines, stall
from tests.support.waiting import until

REPEATABLE: dict[str, Callable[[Visitor], TestResponse]] = {
    "reading": lambda visitor: visitor.get("/v1/games/1"),
    "actions": lambda visitor: visitor.act(),
    "a game with an id": lambda visitor: visitor.post("/v1/games", json={"id": "1", "players": []}),
    "a change": lambda visitor: visitor.patch("/v1/players/1", json={"name": "Ana"}),
}
NOT_REPEATABLE: dict[str, Callable[[Visitor], TestResponse]] = {
    "signing up": lambda visitor: visitor.post("/v1/accounts", json={"email": "a@example.org"}),
    "a game without an id": lambda visitor: visitor.post("/v1/games", json={"players": [{"name": "id"}]}),
    "a game that is not an object": lambda visitor: visitor.post("/v1/games", json=["id"]),
    "to the bin": lambda visitor: visitor.delete("/v1/games/1"),
}


def assert_away(reply: TestResponse) -> None:
    assert (reply.status_code, reply.json["code"]) == (503, "service_unavailable")
    assert int(reply.headers["Retry-After"]) >= 1


@pytest.fixture
def released() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def hurried(behind: Behind) -> Visitor:
    """Visits a gateway all of whose routes have a budget of a fifth of a second."""
    routes = [replace(route, budget_s=0.2) for route in ROUTES]
    return Visitor(bootstrap.build(behind.settings(), routes))


@pytest.mark.parametrize("fault", [hang_up, hang_up_inside])
@pytest.mark.parametrize("request_of", REPEATABLE.values(), ids=REPEATABLE)
def test_a_request_that_may_be_repeated_survives_a_broken_connection(
    behind: Behind,
    visitor: Visitor,
    request_of: Callable[[Visitor], TestResponse],
    fault: Callable[..., bool],
) -> None:
    for standin in (behind.sessions, behind.accounts):
        standin.behaviour = first(fault)
    assert request_of(visitor).status_code == 200
    assert len(behind.sessions.received + behind.accounts.received) == 2


@pytest.mark.parametrize("request_of", NOT_REPEATABLE.values(), ids=NOT_REPEATABLE)
def test_a_request_that_may_not_be_repeated_is_sent_once(
    behind: Behind, visitor: Visitor, request_of: Callable[[Visitor], TestResponse]
) -> None:
    for standin in (behind.sessions, behind.accounts):
        standin.behaviour = first(hang_up)
    assert_away(request_of(visitor))
    assert len(behind.sessions.received + behind.accounts.received) == 1


def test_repeating_ends(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = hang_up
    assert_away(visitor.act())
    assert len(behind.sessions.received) == 3


def test_a_service_that_is_not_there_is_a_503(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.stop()
    assert_away(visitor.act())
    assert_away(visitor.delete("/v1/games/1"))
    assert visitor.get("/v1/me").status_code == 200


def test_a_service_that_comes_back_at_once_is_not_missed(behind: Behind, visitor: Visitor) -> None:
    """Even a request that may not be repeated may be sent again when it never left."""
    behind.accounts.stop()
    threading.Timer(0.02, behind.accounts.start).start()
    assert visitor.post("/v1/accounts", json={}).status_code == 200


def test_a_connection_that_died_while_idle_does_not_cost_a_request(behind: Behind, visitor: Visitor) -> None:
    visitor.post("/v1/accounts", json={})
    behind.accounts.stop()
    until(lambda: behind.accounts.is_deserted)
    behind.accounts.start()
    assert visitor.post("/v1/accounts", json={}).status_code == 200


def test_an_answer_that_takes_longer_than_its_budget_is_a_503(
    behind: Behind, hurried: Visitor, released: threading.Event
) -> None:
    behind.sessions.behaviour = stall(released)
    began = time.monotonic()
    assert_away(hurried.act())
    assert time.monotonic() - began < 2
    assert len(behind.sessions.received) == 1


def test_an_answer_that_breaks_off_while_it_streams_is_not_passed_off_as_whole(
    behind: Behind, visitor: Visitor
) -> None:
    behind.sessions.behaviour = lines([b'{"seq":1}\n'], whole=False)
    with pytest.raises(Exception, match="Connection broken"):
        _ = visitor.get("/v1/games/1/log").data
    behind.sessions.behaviour = answer(200, {"still": "there"})
    assert visitor.get("/v1/games/1").status_code == 200


def test_a_dead_service_is_not_waited_for_again_and_again(
    behind: Behind, hurried: Visitor, released: threading.Event
) -> None:
    behind.sessions.behaviour = stall(released)
    for _ in range(FAILURES):
        assert_away(hurried.get("/v1/games/1"))
    asked = len(behind.sessions.received)
    began = time.monotonic()
    for _ in range(20):
        assert_away(hurried.get("/v1/games/1"))
    assert time.monotonic() - began < 0.4
    assert len(behind.sessions.received) == asked
    assert hurried.get("/v1/me").status_code == 200


@pytest.mark.parametrize(
    ("name", "path"), [("accounts", "/v1/me"), ("sessions", "/v1/games"), ("rules", "/v1/rulesets")]
)
def test_a_slow_service_leaves_threads_to_the_others(
    behind: Behind, visitor: Visitor, released: threading.Event, name: str, path: str
) -> None:
    slow: Standin = getattr(behind, name)
    slow.behaviour = stall(released)
    most = int(behind.settings().threads * bootstrap.SHARES[name])
    with ThreadPoolExecutor(most) as pool:
        held = [pool.submit(visitor.get, path) for _ in range(most)]
        until(lambda: len(slow.received) == most)
        began = time.monotonic()
        assert_away(visitor.get(path))
        assert time.monotonic() - began < 1
        assert len(slow.received) == most
        for other in ("/v1/me", "/v1/games", "/v1/rulesets"):
            assert other == path or visitor.get(other).status_code == 200
        released.set()
        assert {future.result(10).status_code for future in held} == {200}
    assert visitor.get(path).status_code == 200


def test_a_service_that_is_back_is_used_within_a_second(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.stop()
    for _ in range(FAILURES + 1):
        visitor.act()
    behind.sessions.start()
    back_at = time.monotonic()
    while visitor.act().status_code != 200:
        assert time.monotonic() - back_at < 1
    assert time.monotonic() - back_at < 1


def test_refusals_of_a_service_do_not_count_as_its_death(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = answer(503, {}, Content_Type="application/problem+json")
    for _ in range(FAILURES + 5):
        visitor.act()
    assert len(behind.sessions.received) == FAILURES + 5
