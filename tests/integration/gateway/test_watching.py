"""Live streams pass the gateway byte by byte, and end when either side does."""

import http.client
import json
import queue
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse

import psutil
import pytest

from gateway.breaker import FAILURES
from tests.integration.gateway.conftest import Behind
from tests.integration.gateway.process import Gateway
from tests.integration.gateway.standin import Received, Standin, answer, events, hang_up, page, problem
from tests.support.waiting import until

LIVE = "/v1/games/0192f0c5-7e1a-7b3c-8d4e-5f6a7b8c9d0e/live"
FRAMES = [
    b"retry: 1000\n\n",
    b'id: 1\nevent: entry\ndata: {"a":"\xc3\xa9"}\n\n',
    b": keep-",
    b"alive\n\n",
    b"id",
]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
MANY = 200


class Source:
    """What a live process has to say: pieces put in by the test, one chunk each, until `None`."""

    def __init__(self) -> None:
        self._pieces: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    def say(self, piece: bytes | None) -> None:
        self._pieces.put(piece)

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._pieces.get(timeout=30), None)


@pytest.fixture
def live(parts: Behind) -> Standin:
    parts.live.received.clear()
    return parts.live


def watch(gateway: Gateway, path: str = LIVE, **headers: str) -> tuple[HTTPConnection, HTTPResponse]:
    """A connection and the answer that has begun on it."""
    connection = gateway.connect()
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers={"Authorization": "Bearer abc"} | sent)
    return connection, connection.getresponse()


def test_every_piece_arrives_unchanged_and_before_the_next_one_is_said(
    gateway: Gateway, live: Standin
) -> None:
    source = Source()
    live.behaviour = events(source)
    _, reply = watch(gateway)
    assert (reply.status, reply.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
    for frame in FRAMES:
        source.say(frame)
        assert reply.read(len(frame)) == frame
    source.say(None)
    assert reply.read() == b""


def test_a_stream_that_ended_in_order_leaves_the_connection_usable(gateway: Gateway, live: Standin) -> None:
    live.behaviour = events(FRAMES)
    connection, reply = watch(gateway)
    assert reply.read() == b"".join(FRAMES)
    connection.request("GET", "/live")
    assert connection.getresponse().status == 200


def test_what_the_live_process_needs_arrives_there_and_nothing_else(gateway: Gateway, live: Standin) -> None:
    live.behaviour = events([])
    sent = {
        "Last_Event_ID": "7",
        "X_Device": "phone",
        "Accept_Language": "sl",
        "X_Request_Id": "of-the-client",
        "X_Internal_Role": "operator",
        "Cookie": "a=b",
    }
    watch(gateway, f"{LIVE}?after=3", **sent)
    (received,) = live.received
    assert (received.method, received.target) == ("GET", f"{LIVE}?after=3")
    assert received.headers["authorization"] == "Bearer abc"
    for name in ("last-event-id", "x-device", "accept-language", "x-request-id"):
        assert received.headers[name] == sent[{"last-event-id": "Last_Event_ID"}.get(name, _title(name))]
    assert received.headers["x-forwarded-for"] == "127.0.0.1"
    assert not {"x-internal-role", "cookie"} & set(received.headers)


def _title(name: str) -> str:
    return name.title().replace("-", "_")


def test_what_a_client_may_see_arrives_and_nothing_else(gateway: Gateway, live: Standin) -> None:
    live.behaviour = events([], Cache_Control="no-store", X_Accel_Buffering="no", X_Internal_Node="3")
    _, reply = watch(gateway, X_Request_Id="of-the-client")
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["X-Accel-Buffering"] == "no"
    assert reply.headers.get_all("Access-Control-Allow-Origin") == ["*"]
    assert reply.headers.get_all("X-Request-Id") == ["of-the-client"]
    assert "X-Internal-Node" not in reply.headers


def test_a_client_that_leaves_ends_the_stream_at_its_source(gateway: Gateway, live: Standin) -> None:
    """Though nothing is being said that could fail to be sent."""
    let_go = threading.Event()

    def read(_: Received, upstream: socket.socket) -> bool:
        upstream.sendall(HEAD + b"%x\r\n%b\r\n" % (len(FRAMES[0]), FRAMES[0]))
        assert upstream.recv(1) == b""
        let_go.set()
        return False

    live.behaviour = read
    connection, reply = watch(gateway)
    assert reply.read(len(FRAMES[0])) == FRAMES[0]
    reply.close()
    connection.close()
    until(let_go.is_set, 2, "the live process is let go")


def test_a_stream_that_breaks_off_breaks_off_for_its_client(gateway: Gateway, live: Standin) -> None:
    live.behaviour = events(FRAMES, whole=False)
    _, reply = watch(gateway)
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        reply.read()


def test_a_refusal_passes_as_it_is(gateway: Gateway, live: Standin) -> None:
    live.behaviour = problem(401, "unauthenticated", WWW_Authenticate='Bearer realm="x"')
    _, reply = watch(gateway)
    assert (reply.status, json.loads(reply.read())) == (401, {"code": "unauthenticated"})
    assert reply.headers["WWW-Authenticate"] == 'Bearer realm="x"'


def test_what_the_live_process_says_in_its_own_words_becomes_a_problem(
    gateway: Gateway, live: Standin
) -> None:
    live.behaviour = page(502)
    _, reply = watch(gateway)
    assert json.loads(reply.read())["code"] == "service_unavailable"


def test_head_asks_for_the_headers_only(gateway: Gateway, live: Standin) -> None:
    live.behaviour = answer(200, {}, Content_Type="text/event-stream")
    connection = gateway.connect()
    for _ in range(2):
        connection.request("HEAD", LIVE)
        reply = connection.getresponse()
        assert (reply.status, reply.headers["Content-Type"]) == (200, "text/event-stream")
        reply.read()
    assert {request.method for request in live.received} == {"HEAD"}


def test_without_the_live_process_a_client_is_told_when_to_come_back(parts: Behind, gateway: Gateway) -> None:
    parts.live.stop()
    until(lambda: parts.live.is_deserted)
    try:
        for _ in range(FAILURES + 1):
            began = time.monotonic()
            _, reply = watch(gateway)
            assert (reply.status, json.loads(reply.read())["code"]) == (503, "service_unavailable")
            assert int(reply.headers["Retry-After"]) >= 1
            assert time.monotonic() - began < 2
    finally:
        parts.live.start()
    parts.live.behaviour = events([])
    until(lambda: watch(gateway)[1].status == 200, 2, "it is noticed to be back")


def test_a_live_process_that_hangs_up_is_a_503(gateway: Gateway, live: Standin) -> None:
    live.behaviour = hang_up
    _, reply = watch(gateway)
    assert reply.status == 503
    live.behaviour = events([])
    until(lambda: watch(gateway)[1].status == 200, 2)


def test_many_streams_hold_no_thread(gateway: Gateway, live: Standin) -> None:
    """With eight threads; plain requests are answered beside them as quickly as without them."""
    ended = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield FRAMES[0]
        ended.wait(30)

    live.behaviour = lambda request, connection: events(pieces())(request, connection)
    streams = [watch(gateway) for _ in range(MANY)]
    try:
        assert all(reply.read(len(FRAMES[0])) == FRAMES[0] for _, reply in streams)
        took = sorted(_seconds_for_a_read(gateway) for _ in range(50))
        assert took[45] < 0.1
    finally:
        ended.set()
    assert all(reply.read() == b"" for _, reply in streams)


def test_a_client_that_does_not_read_costs_no_memory_and_stops_the_source(
    gateway: Gateway, live: Standin
) -> None:
    """Of half a gigabyte the source gets rid of no more than what fits between it and the client."""
    said: list[int] = []
    let_go = threading.Event()

    def flood() -> Iterator[bytes]:
        try:
            for _ in range(8_000):
                said.append(65_536)
                yield b"x" * 65_536
        finally:
            let_go.set()

    live.behaviour = lambda request, connection: events(flood())(request, connection)
    before = psutil.Process(gateway.pid).memory_info().rss
    connection = gateway.socket()
    connection.sendall(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % LIVE.encode())
    until(lambda: _stands_still(said), 10, "the source is stopped")
    assert sum(said) < 64_000_000
    assert psutil.Process(gateway.pid).memory_info().rss - before < 16_000_000
    assert _seconds_for_a_read(gateway) < 1
    connection.close()
    until(let_go.is_set, 5, "the source is let go")


def _stands_still(said: list[int]) -> bool:
    before = len(said)
    threading.Event().wait(0.3)
    return before > 0 and len(said) == before


def _seconds_for_a_read(gateway: Gateway) -> float:
    began = time.monotonic()
    connection = gateway.connect()
    connection.request("GET", "/v1/games/1")
    assert connection.getresponse().status == 200
    connection.close()
    return time.monotonic() - began
