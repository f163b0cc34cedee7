"""What holds only with real connections: chunks, streams, broken connections, the metrics port."""

import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from shared.web.wire import BODY_LIMIT
from tests.integration.gateway.conftest import NO_REDIS, Behind
from tests.integration.gateway.process import Gateway
from tests.integration.gateway.standin import Standin, answer, hang_up, lines
from tests.support.waiting import until

ACTIONS = "/v1/games/1/actions"
LOG = "/v1/games/1/log"
START = b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


@pytest.fixture
def sessions(parts: Behind) -> Standin:
    parts.sessions.behaviour = answer(200, {"standin": True})
    parts.sessions.received.clear()
    return parts.sessions


def rest(connection: socket.socket) -> bytes:
    """What is said until the connection ends."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


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


def test_bodies_that_arrive_slowly_hold_nothing_that_others_need(gateway: Gateway, sessions: Standin) -> None:
    """A hundred of them, with eight threads."""
    slow = [gateway.socket() for _ in range(100)]
    for connection in slow:
        connection.sendall(START % (ACTIONS.encode(), 20) + b'{"actions"')
    began = time.monotonic()
    for _ in range(100):
        assert ask(gateway, "GET", "/v1/games/1")[0] == 200
    assert time.monotonic() - began < 3
    for connection in slow:
        connection.sendall(b":[      ]}")
    for connection in slow:
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
        connection.close()
    assert {request.body for request in sessions.received if request.body} == {b'{"actions":[      ]}'}


def test_who_asks_before_sending_a_body_is_told_to_go_on(gateway: Gateway, sessions: Standin) -> None:
    head = (START % (ACTIONS.encode(), 2))[:-2]
    with gateway.socket() as connection:
        connection.sendall(head + b"Expect: 100-continue\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"{}")
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
    head = (START % (ACTIONS.encode(), BODY_LIMIT + 1))[:-2]
    with gateway.socket() as connection:
        connection.sendall(head + b"Expect: 100-continue\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


def test_a_chunk_that_is_none_is_a_malformed_body_and_ends_the_connection(
    gateway: Gateway, sessions: Standin
) -> None:
    head = b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" % ACTIONS.encode()
    with gateway.socket() as connection:
        connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
        connection.sendall(b"zz\r\n{}\r\n0\r\n\r\n")
        said = rest(connection)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert said.count(b"HTTP/1.1") == 1
    assert b'"code":"malformed_body"' in said
    assert not sessions.received


@pytest.mark.parametrize(
    ("sent", "target"),
    [
        (b"/v1/games/%31", "/v1/games/1"),
        (b"/v1/games?cursor=a%2Fb&x=%C3%A9", "/v1/games?cursor=a%2Fb&x=%C3%A9"),
        (b"http://elsewhere.example/v1/games/1?after=2", "/v1/games/1?after=2"),
    ],
)
def test_an_address_arrives_as_it_is_meant(
    gateway: Gateway, sessions: Standin, sent: bytes, target: str
) -> None:
    with gateway.socket() as connection:
        connection.sendall(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % sent)
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
    assert sessions.received[0].target == target


def test_headers_that_two_readers_could_read_differently_arrive_in_one_way(
    gateway: Gateway, sessions: Standin
) -> None:
    """Twice: as one list. With an underscore: not at all. With more than ASCII: percent-encoded."""
    with gateway.socket() as connection:
        connection.sendall(
            b"GET /v1/games/1 HTTP/1.1\r\nHost: x\r\nAccept: a/b\r\nAccept: c/d\r\n"
            b"If_None_Match: x\r\nX-Device: caf\xc3\xa9\r\n\r\n"
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
    received = sessions.received[0].headers
    assert received["accept"] == "a/b,c/d"
    assert received["x-device"] == "caf%C3%A9"
    assert "if-none-match" not in received


def test_a_method_of_ones_own_is_told_those_that_there_are(gateway: Gateway, sessions: Standin) -> None:
    """The parser knows no such method, but the address may be one that we know."""
    for path, status in (("/v1/games/1", 405), ("/docs", 405), ("/nothing", 404)):
        found, headers, body = ask(gateway, "BREW", path)
        assert found == status == json.loads(body)["status"]
        assert headers["X-Request-Id"]
        assert ("GET" in headers.get("Allow", "")) == (status == 405)


def test_what_is_no_http_is_refused_with_a_document(gateway: Gateway) -> None:
    with gateway.socket() as connection:
        connection.sendall(b"GET /v1/me HTTP/1.1\r\nAuthorization\r\n\r\n")
        said = rest(connection)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == "malformed_body"


def test_to_http_1_0_a_stream_ends_with_its_connection(gateway: Gateway, sessions: Standin) -> None:
    sessions.behaviour = lines([b"1\n", b"2\n"])
    with gateway.socket() as connection:
        connection.sendall(b"GET %b HTTP/1.0\r\n\r\n" % LOG.encode())
        head, _, body = rest(connection).partition(b"\r\n\r\n")
    assert body == b"1\n2\n"
    assert b"chunked" not in head


def test_a_reader_who_does_not_read_costs_no_thread_and_little_memory(
    gateway: Gateway, sessions: Standin
) -> None:
    """Six of them, with eight threads and eight places; each stream would be 65 MB."""
    sessions.behaviour = lambda request, connection: lines(b"%065535d\n" % n for n in range(1_000))(
        request, connection
    )
    before = psutil.Process(gateway.pid).memory_info().rss
    stuck = [gateway.socket() for _ in range(6)]
    for connection in stuck:
        connection.sendall(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % LOG.encode())
        assert connection.recv(12) == b"HTTP/1.1 200"
    sessions.behaviour = answer(200, {"standin": True})
    for _ in range(20):
        assert ask(gateway, "GET", "/v1/games/1")[0] == 200
    assert psutil.Process(gateway.pid).memory_info().rss - before < 30_000_000
    for connection in stuck:
        connection.close()


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


def test_nothing_secret_is_logged(parts: Behind) -> None:
    running = Gateway(parts.settings(redis_url=NO_REDIS))
    parts.sessions.behaviour = hang_up
    try:
        secret = "very-secret-value"
        assert ask(running, "GET", "/v1/games/1", Authorization=f"Bearer {secret}")[0] == 503
        assert ask(running, "GET", f"/v1/games?token={secret}")[0] == 422
        assert ask(running, "GET", f"/v1/games?cursor={secret}")[0] == 503
        for malformed in (b"GET /v1/me HTTP/1.1\r\nAuthorization: Bearer %b\0\r\n\r\n", b"%b\r\n\r\n"):
            with running.socket() as connection:
                connection.sendall(malformed % secret.encode())
                assert rest(connection).startswith(b"HTTP/1.1 400 ")
    finally:
        said = running.stop()
    assert "service_unavailable" in said
    assert secret not in said
