"""`/live` and `/ready`: what an operator learns about the gateway and what is behind it."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from infra.host.valkey import ValkeyServer
from tests.integration.gateway.conftest import Behind, Visitor, visit
from tests.integration.gateway.standin import answer, stall
from tests.support.waiting import until

PARTS = ("rules", "sessions", "accounts", "live", "redis")
READY = answer(200, {"status": "ready", "checks": {"database": True}})
NOT_READY = answer(503, {"status": "not ready", "checks": {"database": False}})


@pytest.fixture
def complete(behind: Behind, valkey_server: ValkeyServer) -> Visitor:
    for standin in (behind.rules, behind.sessions, behind.accounts, behind.live):
        standin.behaviour = READY
    return visit(behind.settings(redis_url=valkey_server.url("gateway")))


@pytest.fixture
def released() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_it_is_ready_when_everything_behind_it_is(complete: Visitor) -> None:
    reply = complete.get("/ready")
    assert (reply.status_code, reply.json["status"]) == (200, "ready")
    assert reply.json["checks"] == dict.fromkeys(PARTS, True)
    assert reply.json["behind"]["sessions"] == {"database": True}


def test_it_says_which_part_is_not_ready_and_why(behind: Behind, complete: Visitor) -> None:
    behind.sessions.behaviour = NOT_READY
    reply = complete.get("/ready")
    assert (reply.status_code, reply.json["status"]) == (503, "not ready")
    assert reply.json["checks"] == dict.fromkeys(PARTS, True) | {"sessions": False}
    assert reply.json["behind"]["sessions"] == {"database": False}


def test_it_is_ready_again_as_soon_as_a_part_is(behind: Behind, complete: Visitor) -> None:
    behind.rules.stop()
    assert complete.get("/ready").json["checks"]["rules"] is False
    behind.rules.start()
    until(lambda: complete.get("/ready").status_code == 200)


def test_a_flood_of_questions_is_one_for_the_parts_and_makes_none_of_them_seem_away(
    behind: Behind, complete: Visitor
) -> None:
    with ThreadPoolExecutor(40) as pool:
        replies = list(pool.map(lambda _: complete.get("/ready"), range(40)))
    assert {reply.status_code for reply in replies} == {200}
    assert len(behind.rules.received) <= 2


def test_without_redis_it_is_not_ready(behind: Behind, visitor: Visitor) -> None:
    assert visitor.get("/ready").json["checks"]["redis"] is False


@pytest.mark.parametrize("odd", [["a", "list"], "text", {"checks": "none"}, None])
def test_an_odd_answer_of_a_part_is_no_fault(behind: Behind, complete: Visitor, odd: object) -> None:
    behind.rules.behaviour = answer(200, odd)
    assert complete.get("/ready").status_code == 200


def test_parts_that_hang_are_asked_at_the_same_time(
    behind: Behind, complete: Visitor, released: threading.Event
) -> None:
    for standin in (behind.rules, behind.sessions, behind.accounts, behind.live):
        standin.behaviour = stall(released)
    began = time.monotonic()
    assert complete.get("/ready").status_code == 503
    assert time.monotonic() - began < 2
    assert complete.get("/live").json == {"status": "live"}
