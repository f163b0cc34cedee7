"""Requests and answers pass the gateway unchanged, except for what must not pass."""

import pytest

from tests.integration.gateway.conftest import Behind, Visitor, visit
from tests.integration.gateway.standin import answer, lines, page, problem

GAME = "/v1/games/0192f0c5-7e1a-7b3c-8d4e-5f6a7b8c9d0e"


@pytest.mark.parametrize(
    ("path", "service"),
    [("/v1/me", "accounts"), ("/v1/rulesets/the-game", "rules"), ("/v1/games", "sessions")],
)
def test_a_request_goes_to_the_service_its_route_names(
    behind: Behind, visitor: Visitor, path: str, service: str
) -> None:
    assert visitor.get(path).json == {"standin": True}
    assert [request.target for request in getattr(behind, service).received] == [path]


def test_path_query_and_body_arrive_as_they_were_sent(behind: Behind, visitor: Visitor) -> None:
    visitor.post(f"{GAME}/actions?a=%C3%A9&b=1", data=b'{ "actions" : [] }', content_type="application/json")
    (request,) = behind.sessions.received
    assert (request.method, request.target) == ("POST", f"{GAME}/actions?a=%C3%A9&b=1")
    assert request.body == b'{ "actions" : [] }'
    assert request.headers["content-type"] == "application/json"


def test_headers_that_matter_to_a_service_arrive(behind: Behind, visitor: Visitor) -> None:
    sent = {
        "Accept": "application/x-ndjson",
        "Accept-Language": "sl",
        "Authorization": "Bearer abc",
        "If-None-Match": '"7"',
        "User-Agent": "a client",
    }
    visitor.get(GAME, headers=sent)
    received = behind.sessions.received[0].headers
    assert {name: received[name.lower()] for name in sent} == sent


def test_headers_that_only_insiders_may_send_do_not_arrive(behind: Behind, visitor: Visitor) -> None:
    forged = {
        "Cookie": "a=b",
        "Forwarded": "for=1.2.3.4",
        "X-Account-Id": "somebody",
        "X-Forwarded-For": "1.2.3.4",
        "X-Forwarded-Host": "evil.example",
        "X-Internal-Role": "operator",
        "X-Real-Ip": "1.2.3.4",
    }
    visitor.get(GAME, headers=forged)
    received = behind.sessions.received[0].headers
    assert received.pop("x-forwarded-for") == "127.0.0.1"
    assert not {name.lower() for name in forged} & set(received)


def test_the_address_comes_from_the_proxies_that_are_trusted(behind: Behind) -> None:
    visitor = visit(behind.settings(trusted_proxies=1))
    visitor.get(GAME, headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.9"})
    assert behind.sessions.received[0].headers["x-forwarded-for"] == "203.0.113.9"


def test_a_well_formed_request_id_is_kept_all_the_way(behind: Behind, visitor: Visitor) -> None:
    reply = visitor.get(GAME, headers={"X-Request-Id": "from-the-client-1"})
    assert behind.sessions.received[0].headers["x-request-id"] == "from-the-client-1"
    assert reply.headers.getlist("X-Request-Id") == ["from-the-client-1"]


@pytest.mark.parametrize("given", ["", "short", "with spaces in it", "x" * 65, "ünïcode-id"])
def test_another_request_id_is_replaced(behind: Behind, visitor: Visitor, given: str) -> None:
    reply = visitor.get(GAME, headers={"X-Request-Id": given})
    made = reply.headers["X-Request-Id"]
    assert made != given
    assert behind.sessions.received[0].headers["x-request-id"] == made


def test_a_trace_is_continued_or_begun(behind: Behind, visitor: Visitor) -> None:
    given = f"00-{'a' * 32}-{'b' * 16}-01"
    visitor.get(GAME, headers={"traceparent": given})
    visitor.get(GAME, headers={"traceparent": f"00-{'0' * 32}-{'b' * 16}-01"})
    visitor.get(GAME)
    first, second, third = (request.headers["traceparent"] for request in behind.sessions.received)
    assert first == given
    assert len({first, second, third}) == 3


def test_status_headers_and_body_of_an_answer_arrive(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = answer(201, {"id": "1"}, ETag='"1"', Location="/v1/games/1", Vary="Accept")
    reply = visitor.post("/v1/games", json={})
    assert (reply.status_code, reply.json) == (201, {"id": "1"})
    assert (reply.headers["ETag"], reply.headers["Location"]) == ('"1"', "/v1/games/1")


def test_headers_that_are_not_for_the_outside_stay_inside(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = answer(
        200, {}, Server="inner", X_Internal_Node="3", Access_Control_Allow_Origin="evil", Connection="close"
    )
    reply = visitor.get(GAME)
    assert not {"Server", "X-Internal-Node", "Connection"} & set(reply.headers.keys())
    assert reply.headers.getlist("Access-Control-Allow-Origin") == ["*"]


def test_an_answer_without_a_body_stays_one(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = answer(304, {}, ETag='"1"')
    reply = visitor.get(GAME, headers={"If-None-Match": '"1"'})
    assert (reply.status_code, reply.data, reply.headers["ETag"]) == (304, b"", '"1"')


def test_head_goes_where_get_goes(behind: Behind, visitor: Visitor) -> None:
    reply = visitor.head(GAME)
    assert (reply.status_code, reply.data) == (200, b"")
    assert behind.sessions.received[0].method == "HEAD"


def test_a_refusal_of_a_service_passes_as_it_is(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = problem(409, "version_conflict")
    reply = visitor.act()
    assert (reply.status_code, reply.json) == (409, {"code": "version_conflict"})


@pytest.mark.parametrize(
    ("status", "code"),
    [(500, "internal_error"), (502, "service_unavailable"), (400, "malformed_body"), (431, "internal_error")],
)
def test_what_a_server_says_in_its_own_words_becomes_a_problem(
    behind: Behind, visitor: Visitor, status: int, code: str
) -> None:
    behind.sessions.behaviour = page(status)
    assert visitor.get(GAME).json["code"] == code


def test_a_redirect_is_passed_on_and_not_followed(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = answer(302, {}, Location=f"{behind.accounts.url}/v1/me")
    assert visitor.get(GAME).status_code == 302
    assert not behind.accounts.received


def test_a_body_is_not_carried_where_none_belongs(behind: Behind, visitor: Visitor) -> None:
    visitor.get(GAME, json={"a": 1})
    (request,) = behind.sessions.received
    assert request.body == b""
    assert "content-type" not in request.headers


def test_a_stream_arrives_whole(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = lines([b'{"seq":1}\n', b'{"seq":2}\n'])
    reply = visitor.get(f"{GAME}/log", headers={"Accept": "application/x-ndjson"})
    assert reply.data == b'{"seq":1}\n{"seq":2}\n'
    assert reply.headers["Content-Type"] == "application/x-ndjson"


def test_connections_are_used_again(behind: Behind, visitor: Visitor) -> None:
    behind.sessions.behaviour = lines([b"1\n"])
    for _ in range(5):
        assert visitor.get(f"{GAME}/log").data == b"1\n"
    behind.sessions.behaviour = answer(204, {})
    for _ in range(5):
        visitor.delete(GAME)
        visitor.head(GAME)
    assert behind.sessions.connections == 1
