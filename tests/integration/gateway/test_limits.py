"""How fast requests may come, per token and per address, alone and shared between gateways."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from werkzeug.test import TestResponse

from gateway.shared_allowances import TIMEOUT_S
from infra.host.valkey import ValkeyServer
from tests.integration.gateway.conftest import Behind, Visitor, visit
from tests.integration.gateway.standin import answer, problem

EVALUATE = "/v1/rulesets/the-game/evaluate"
SLOW = {"requests_per_s": 0.5, "requests_burst": 5, "evaluations_per_s": 0.5, "evaluations_burst": 4}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def statuses(replies: list[TestResponse]) -> list[int]:
    return [reply.status_code for reply in replies]


@pytest.fixture
def limited(behind: Behind) -> Visitor:
    return visit(behind.settings(**SLOW))


@pytest.fixture
def shared(valkey_server: ValkeyServer) -> str:
    """The address of a Redis in which nobody has used anything up."""
    with redis.Redis.from_url(valkey_server.url("administrator")) as client:
        client.flushall()
    return valkey_server.url("gateway")


def test_a_token_has_its_burst_and_then_waits(limited: Visitor) -> None:
    replies = [limited.get("/v1/me", headers=bearer("a")) for _ in range(7)]
    assert statuses(replies) == [200] * 5 + [429] * 2
    refused = replies[-1]
    assert refused.json["code"] == "too_many_requests"
    assert refused.headers["Retry-After"] == str(refused.json["retry_after"]) == "2"


def test_one_token_does_not_use_up_anothers(limited: Visitor) -> None:
    for _ in range(6):
        limited.get("/v1/me", headers=bearer("a"))
    assert limited.get("/v1/me", headers=bearer("b")).status_code == 200
    assert limited.get("/v1/rulesets").status_code == 200


def test_without_a_token_the_address_counts(limited: Visitor) -> None:
    assert statuses([limited.get("/v1/rulesets") for _ in range(6)])[-1] == 429
    elsewhere = {"REMOTE_ADDR": "10.0.0.9"}
    assert limited.get("/v1/rulesets", environ_base=elsewhere).status_code == 200


def test_inventing_tokens_is_no_way_around(behind: Behind, limited: Visitor) -> None:
    behind.accounts.behaviour = problem(401, "unauthenticated")
    replies = [limited.get("/v1/me", headers=bearer(f"invented {n}")) for n in range(8)]
    assert statuses(replies) == [401] * 5 + [429] * 3


@pytest.mark.parametrize(
    ("status", "code"), [(401, "unauthenticated"), (404, "not_found"), (503, "service_unavailable")]
)
def test_a_refusal_does_not_make_a_token_a_valid_one(
    behind: Behind, limited: Visitor, status: int, code: str
) -> None:
    """A service may refuse before it looks at the token."""
    behind.accounts.behaviour = problem(status, code)
    replies = [limited.get("/v1/players/malformed", headers=bearer(f"invented {n % 2}")) for n in range(8)]
    assert statuses(replies) == [status] * 5 + [429] * 3


def test_a_public_answer_does_not_make_a_token_a_valid_one(limited: Visitor) -> None:
    replies = [limited.get("/v1/rulesets", headers=bearer(f"invented {n}")) for n in range(6)]
    assert statuses(replies)[-1] == 429


def test_the_addresses_of_one_household_count_as_one(limited: Visitor) -> None:
    replies = [
        limited.get("/v1/rulesets", environ_base={"REMOTE_ADDR": f"2001:db8:1:2::{n}"}) for n in range(1, 7)
    ]
    assert statuses(replies)[-1] == 429


def test_pages_and_unknown_addresses_count_as_well(limited: Visitor) -> None:
    assert statuses([limited.get("/nothing") for _ in range(6)])[-1] == 429
    assert limited.get("/docs").status_code == 429


def test_evaluations_have_an_allowance_of_their_own_per_address(limited: Visitor) -> None:
    replies = [limited.post(EVALUATE, json={}, headers=bearer(str(n))) for n in range(5)]
    assert statuses(replies) == [200] * 4 + [429]
    assert limited.get("/v1/rulesets").status_code == 200


def join(visitor: Visitor, **options: object) -> TestResponse:
    return visitor.post("/v1/invitations/accept", json={"code": "x"}, **options)


def test_ten_codes_that_are_none_are_what_an_address_may_guess(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = problem(404, "invitation_unknown")
    replies = [join(visitor) for _ in range(12)]
    assert statuses(replies) == [404] * 10 + [429] * 2
    assert replies[-1].json["code"] == "too_many_requests"
    assert 0 < int(replies[-1].headers["Retry-After"]) <= 90
    assert len(behind.sessions.received) == 10
    assert join(visitor, environ_base={"REMOTE_ADDR": "10.0.0.9"}).status_code == 404
    assert visitor.get("/v1/rulesets").status_code == 200


def test_a_whole_table_may_join_at_once(behind: Behind, visitor: Visitor) -> None:
    """Only failures count: not a code that is right, expired, or malformed."""
    for behaviour in (answer(200, {}), problem(410, "invitation_ended"), problem(422, "validation_failed")):
        behind.sessions.behaviour = behaviour
        assert 429 not in statuses([join(visitor) for _ in range(15)])
    behind.sessions.behaviour = problem(404, "invitation_unknown")
    assert join(visitor).status_code == 404


def test_guessing_many_codes_at_once_tells_no_more(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = problem(404, "invitation_unknown")
    with ThreadPoolExecutor(40) as pool:
        found = statuses(list(pool.map(lambda _: join(visitor), range(40))))
    assert found.count(404) <= 10
    assert set(found) <= {404, 429, 503}


def test_guesses_count_across_all_gateways(behind: Behind, shared: str) -> None:
    behind.sessions.behaviour = problem(404, "invitation_unknown")
    first, second = (visit(behind.settings(redis_url=shared, guesses=3)) for _ in range(2))
    assert statuses([join(first) for _ in range(2)]) == [404] * 2
    assert statuses([join(second) for _ in range(2)]) == [404, 429]
    assert join(first).status_code == 429


def test_evaluations_count_across_all_gateways(behind: Behind, shared: str) -> None:
    first, second = (visit(behind.settings(redis_url=shared, **SLOW)) for _ in range(2))
    assert statuses([first.post(EVALUATE, json={}) for _ in range(3)]) == [200] * 3
    assert statuses([second.post(EVALUATE, json={}) for _ in range(2)]) == [200, 429]


def test_the_shared_allowance_fills_up_again(behind: Behind, shared: str) -> None:
    visitor = visit(behind.settings(redis_url=shared, evaluations_per_s=20, evaluations_burst=2))
    assert statuses([visitor.post(EVALUATE, json={}) for _ in range(2)]) == [200, 200]
    deadline = time.monotonic() + 2
    while visitor.post(EVALUATE, json={}).status_code != 200:
        assert time.monotonic() < deadline


def test_a_redis_that_hangs_costs_one_moment_and_no_request(
    behind: Behind, shared: str, valkey_server: ValkeyServer
) -> None:
    visitor = visit(behind.settings(redis_url=shared, **SLOW))
    assert visitor.post(EVALUATE, json={}).status_code == 200
    valkey_server.pause()
    try:
        began = time.monotonic()
        replies = [visitor.post(EVALUATE, json={}) for _ in range(5)]
        assert time.monotonic() - began < TIMEOUT_S + 1
    finally:
        valkey_server.resume()
    assert statuses(replies) == [200] * 4 + [429]
