"""Connections go to all replicas, and are given up before the other side gives them up."""

import socket
import threading
from collections.abc import Iterator

import pytest
from urllib3.exceptions import NameResolutionError, NewConnectionError

from gateway import connections
from gateway.connections import open_pool
from tests.integration.gateway.standin import Standin

RESOLVE = socket.getaddrinfo


@pytest.fixture
def service() -> Iterator[Standin]:
    standin = Standin()
    yield standin
    standin.stop()


@pytest.fixture
def replicas(monkeypatch: pytest.MonkeyPatch, service: Standin) -> Iterator[Standin]:
    """Another one at the same port, both behind the name `replicas`."""

    def resolve(host: str, port: int, *arguments: int, **options: int) -> list[object]:
        names = ["127.0.0.1", "127.0.0.2"] if host == "replicas" else [host]
        return [found for name in names for found in RESOLVE(name, port, *arguments, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    other = Standin(address="127.0.0.2", port=service.port)
    yield other
    other.stop()


def ask(pool: connections.Pool) -> int:
    return pool.urlopen("GET", "/", retries=False).status


def test_both_replicas_get_requests(service: Standin, replicas: Standin) -> None:
    for _ in range(40):
        ask(open_pool(f"http://replicas:{service.port}", 1))
    assert service.received
    assert replicas.received


def test_a_replica_that_is_gone_is_passed_over(service: Standin, replicas: Standin) -> None:
    replicas.stop()
    assert [ask(open_pool(f"http://replicas:{service.port}", 1)) for _ in range(20)] == [200] * 20


def test_no_replica_at_all_is_a_failure_to_connect(service: Standin, replicas: Standin) -> None:
    replicas.stop()
    service.stop()
    with pytest.raises(NewConnectionError):
        ask(open_pool(f"http://replicas:{service.port}", 1))


def test_a_name_that_is_none_is_a_failure_to_connect() -> None:
    with pytest.raises(NameResolutionError):
        ask(open_pool("http://nobody.invalid:80", 1))


@pytest.mark.parametrize(("limit", "opened"), [("IDLE_S", 3), ("AGE_S", 3), ("", 1)])
def test_an_idle_or_old_connection_is_not_used_again(
    monkeypatch: pytest.MonkeyPatch, service: Standin, limit: str, opened: int
) -> None:
    if limit:
        monkeypatch.setattr(connections, limit, 0.0)
    pool = open_pool(service.url, 1)
    for _ in range(3):
        ask(pool)
    assert service.connections == opened


def test_threads_have_a_connection_each(service: Standin) -> None:
    barrier = threading.Barrier(4, timeout=5)
    ordinary = service.behaviour

    def together(request, connection) -> bool:
        barrier.wait()
        return ordinary(request, connection)

    service.behaviour = together
    pool = open_pool(service.url, 4)
    threads = [threading.Thread(target=ask, args=(pool,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(service.received) == service.connections == 4


@pytest.mark.parametrize("url", ["https://service", "service:80", "http://", "redis://service"])
def test_only_plain_addresses_of_services_are_taken(url: str) -> None:
    with pytest.raises(ValueError, match="not the http address"):
        open_pool(url, 1)
