"""What holds only with a real web server in front: chunks, streams, broken connections, the metrics port."""

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator

import pytest

from shared.web.wire import BODY_LIMIT
from tests.integration.gateway.conftest import NO_REDIS, Behind
from tests.integration.gateway.process import Gateway
from tests.integration.gateway.standin import Standin, answer, hang_up, lines
from tests.support.waiting import until

ACTIONS = "/v1/games/1/actions"
LOG = "/v1/games/1/log"
START = b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


@pytest.fixture(scope="module")
def parts() -> Iterator[Behind]:
    found = Behind(Standin(), Standin(), Standin())
    yield found
    for standin in (found.rules, found.sessions, found.accounts):
        standin.stop()


@pytest.fixture(scope="module", params=["granian", "gunicorn"])
def gateway(parts: Behind, request: pytest.FixtureRequest) -> Iterator[Gateway]:
    running = Gateway(parts.settings(redis_url=NO_REDIS), request.param)
    yield running
    running.stop()


@pytest.fixture
def sessions(parts: Behind) -> Standin:
    parts.sessions.behaviour = answer(200, {"standin": True})
    parts.sessions.received.clear()
    return parts.sessions


def ask(gateway: Gateway, method: str, path: str, body: bytes | None = None, **headers: str):
    """Status, headers and body of one exchange on a connection of its own."""
    connection = gateway.connect()
    connection.request(method, path, body, {name.replace("_", "-"): it for name, it in headers.items()})
    reply = connection.getresponse()
    return reply.status, reply.headers, reply.read()


def chunked(gateway: Gateway, pieces: list[bytes]):
    connection = gateway.connect()
    connection.request(
        "POST", ACTIONS, iter(pieces), {"Content-Type": "application/json"}, encode_chunked=True
    )
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read())


def test_a_body_in_chunks_arrives_whole(gateway: Gateway, sessions: Standin) -> None:
    assert chunked(gateway, [b'{"actions"', b": [", b"]}"])[0] == 200
    assert sessions.received[0].body == b'{"actions": []}'


def test_a_body_in_chunks_is_bounded_too(gateway: Gateway, sessions: Standin) -> None:
    status, document = chunked(gateway, [b"x" * 65_536] * 4 + [b"x"])
    assert (status, document["code"]) == (413, "body_too_large")
    assert not sessions.received


def test_a_body_of_just_the_limit_passes(gateway: Gateway, sessions: Standin) -> None:
    body = b'"' + b"x" * (BODY_LIMIT - 2) + b'"'
    assert ask(gateway, "POST", ACTIONS, body, Content_Type="application/json")[0] == 200
    assert sessions.received[0].body == body


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(gateway: Gateway) -> None:
    with gateway.socket() as connection:
        connection.sendall(START % (ACTIONS.encode(), 99_000_000))
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


def test_half_a_body_reaches_no_service(gateway: Gateway, sessions: Standin) -> None:
    with gateway.socket() as connection:
        connection.sendall(START % (ACTIONS.encode(), 50) + b"{")
        connection.shutdown(socket.SHUT_WR)
        connection.recv(4096)
    assert ask(gateway, "GET", "/v1/games/1")[0] == 200
    assert [request.method for request in sessions.received] == ["GET"]


def test_a_stream_arrives_line_by_line_as_it_is_written(gateway: Gateway, sessions: Standin) -> None:
    """Each line is only written once the reader has the line before it."""
    arrived = threading.Semaphore(0)

    def pieces() -> Iterator[bytes]:
        for number in range(5):
            yield b'{"seq":%d}\n' % number
            assert arrived.acquire(timeout=5)

    sessions.behaviour = lines(pieces())
    connection = gateway.connect()
    connection.request("GET", LOG, headers={"Accept": "application/x-ndjson"})
    reply = connection.getresponse()
    for number in range(5):
        assert json.loads(reply.readline()) == {"seq": number}
        arrived.release()
    assert reply.read() == b""


def test_a_stream_that_breaks_off_does_not_look_whole(gateway: Gateway, sessions: Standin) -> None:
    sessions.behaviour = lines([b'{"seq":1}\n'], whole=False)
    connection = gateway.connect()
    connection.request("GET", LOG)
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        connection.getresponse().read()


def test_readers_who_leave_a_stream_give_their_place_to_others(gateway: Gateway, sessions: Standin) -> None:
    """More than there are places for one service."""
    for _ in range(10):
        sessions.behaviour = lines(b"%01000d\n" % number for number in range(5_000))
        connection = gateway.connect()
        connection.request("GET", LOG)
        connection.getresponse().readline()
        connection.close()
    sessions.behaviour = answer(200, {"standin": True})
    until(lambda: ask(gateway, "GET", "/v1/games/1")[0] == 200)
    connections = [gateway.connect() for _ in range(4)]
    for connection in connections:
        connection.request("GET", "/v1/games/1")
    assert [connection.getresponse().status for connection in connections] == [200] * 4


def test_head_has_the_headers_of_get_and_no_body(gateway: Gateway, sessions: Standin) -> None:
    for path in ("/v1/games/1", "/v1/openapi.json", "/nothing"):
        got, asked = ask(gateway, "GET", path), ask(gateway, "HEAD", path)
        assert asked[0] == got[0]
        assert asked[1]["Content-Length"] == got[1]["Content-Length"]
        assert (asked[1]["Content-Type"], asked[2]) == (got[1]["Content-Type"], b"")


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_without_a_body_leaves_the_connection_usable(
    gateway: Gateway, sessions: Standin, status: int
) -> None:
    sessions.behaviour = answer(status, {})
    connection = gateway.connect()
    for _ in range(3):
        connection.request("GET", "/v1/games/1")
        reply = connection.getresponse()
        assert (reply.status, reply.read()) == (status, b"")


def test_headers_that_a_server_adds_are_there_once(gateway: Gateway, sessions: Standin) -> None:
    for path in ("/v1/games/1", "/v1/openapi.json"):
        _, headers, _ = ask(gateway, "GET", path)
        for name in ("Date", "Server", "Content-Length", "Content-Type", "X-Request-Id"):
            assert len(headers.get_all(name, [])) == 1, name


def test_metrics_are_only_on_their_own_port(gateway: Gateway, sessions: Standin) -> None:
    sessions.behaviour = hang_up
    assert ask(gateway, "GET", "/v1/games/1")[0] == 503
    status, _, body = ask(gateway, "GET", "/metrics")
    assert (status, json.loads(body)["code"]) == (404, "not_found")
    connection = gateway.connect(gateway.metrics_port)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    assert re.search(r'^ninety8_gateway_request_seconds_count{route="read_game",status="503"} ', text, re.M)
    assert re.search(r'^ninety8_gateway_repeated_total{to="sessions"} [1-9]', text, re.M)


@pytest.mark.parametrize("server", ["granian", "gunicorn"])
def test_nothing_secret_is_logged(parts: Behind, server: str) -> None:
    running = Gateway(parts.settings(redis_url=NO_REDIS), server)
    parts.sessions.behaviour = hang_up
    try:
        secret = "very-secret-value"
        assert ask(running, "GET", "/v1/games/1", Authorization=f"Bearer {secret}")[0] == 503
        assert ask(running, "GET", f"/v1/games?token={secret}")[0] == 422
        assert ask(running, "GET", f"/v1/games?cursor={secret}")[0] == 503
    finally:
        said = running.stop()
    assert "service_unavailable" in said
    assert secret not in said
