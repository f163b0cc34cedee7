"""SIGTERM: what runs is answered, what streams ends, and nobody's connection keeps the process alive."""

import http.client
import os
import re
import signal
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from tests.integration.gateway.conftest import NO_REDIS, Behind
from tests.integration.gateway.process import Gateway
from tests.integration.gateway.standin import events, lines, stall
from tests.support.waiting import until

LIVE = "/v1/games/1/live"
LOG = "/v1/games/1/log"
FRAME = b"id: 1\nevent: entry\ndata: {}\n\n"
STREAMS_S = 3.0


@pytest.fixture
def released() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def gateway(behind: Behind) -> Iterator[Gateway]:
    running = Gateway(behind.settings(redis_url=NO_REDIS))
    yield running
    running.stop()


def said_then(released: threading.Event, piece: bytes) -> Iterator[bytes]:
    yield piece
    released.wait(30)


def test_open_streams_are_told_when_to_come_back_and_the_process_is_gone_at_once(
    behind: Behind, gateway: Gateway, released: threading.Event
) -> None:
    behind.live.behaviour = lambda request, connection: events(said_then(released, FRAME))(
        request, connection
    )
    replies = []
    for _ in range(50):
        connection = gateway.connect()
        connection.request("GET", LIVE)
        replies.append(connection.getresponse())
        assert replies[-1].read(len(FRAME)) == FRAME
    gateway.terminate()
    goodbyes = [reply.read().decode() for reply in replies]
    assert gateway.wait_ended(STREAMS_S) == 0
    told_ms = set()
    for goodbye in goodbyes:
        told = re.fullmatch(r"retry: (\d+)\nevent: end\ndata: (\{.*\})\n\n", goodbye)
        assert told, goodbye
        assert '"code":"service_unavailable"' in told[2]
        told_ms.add(int(told[1]))
    assert len(told_ms) > 25, "they would all come back at once"
    assert 500 <= min(told_ms) <= max(told_ms) <= 2_500


def test_a_frame_that_is_half_here_is_broken_off_and_not_finished_with_something_else(
    behind: Behind, gateway: Gateway, released: threading.Event
) -> None:
    behind.live.behaviour = events(said_then(released, FRAME[:-1]))
    connection = gateway.connect()
    connection.request("GET", LIVE)
    reply = connection.getresponse()
    assert reply.read(len(FRAME) - 1) == FRAME[:-1]
    gateway.terminate()
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        reply.read()


def test_a_request_that_a_service_is_busy_with_gets_its_answer(
    behind: Behind, gateway: Gateway, released: threading.Event
) -> None:
    behind.sessions.behaviour = stall(released)
    connection = gateway.connect()
    connection.request("GET", "/v1/games/1")
    until(lambda: behind.sessions.received)
    gateway.terminate()
    until(lambda: _is_closed_to_others(gateway))
    released.set()
    reply = connection.getresponse()
    assert (reply.status, reply.read()) == (200, b'{"late": true}')
    assert gateway.wait_ended(STREAMS_S) == 0


def _is_closed_to_others(gateway: Gateway) -> bool:
    try:
        gateway.socket().close()
    except OSError:
        return True
    return False


def test_idle_connections_and_readers_who_do_not_read_keep_nothing_alive(
    behind: Behind, gateway: Gateway
) -> None:
    behind.sessions.behaviour = lines(b"%065535d\n" % number for number in range(1_000))
    idle, stuck = gateway.connect(), gateway.socket()
    idle.request("GET", "/live")
    idle.getresponse().read()
    stuck.sendall(b"GET %b HTTP/1.1\r\nHost: x\r\n\r\n" % LOG.encode())
    assert stuck.recv(12) == b"HTTP/1.1 200"
    began = time.monotonic()
    gateway.terminate()
    assert gateway.wait_ended(STREAMS_S + 1) == 0
    assert time.monotonic() - began < STREAMS_S + 0.5


def test_several_workers_share_the_port_and_end_together(behind: Behind) -> None:
    gateway = Gateway(behind.settings(redis_url=NO_REDIS, workers=2))
    workers = psutil.Process(gateway.pid).children()
    assert len(workers) == 2
    gateway.terminate()
    assert gateway.wait_ended(STREAMS_S) == 0
    assert not any(worker.is_running() for worker in workers)


def test_a_worker_that_dies_takes_the_others_along_so_that_all_are_started_again(behind: Behind) -> None:
    gateway = Gateway(behind.settings(redis_url=NO_REDIS, workers=2))
    first, second = psutil.Process(gateway.pid).children()
    os.kill(first.pid, signal.SIGKILL)
    assert gateway.wait_ended(STREAMS_S) == 1
    assert not second.is_running()
