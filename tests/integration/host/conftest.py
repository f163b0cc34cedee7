"""Hosts for one test each, ended after it however it went."""

import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.host.running import RunningHost
from tests.support.embedded import postgres_server, scratch_database, server_data, valkey_server

__all__ = ["postgres_server", "scratch_database", "server_data", "valkey_server"]

StartHost = Callable[..., RunningHost]


@contextmanager
def scratch() -> Iterator[Path]:
    """A data directory that the servers' own user can reach, unlike pytest's folders."""
    folder = Path(tempfile.mkdtemp(prefix="ninety-eight-"))
    folder.chmod(0o711)
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def data() -> Iterator[Path]:
    with scratch() as folder:
        yield folder


@pytest.fixture(scope="module")
def host() -> Iterator[RunningHost]:
    """A ready host for tests that leave it as they find it."""
    with scratch() as folder:
        running = RunningHost(folder, LOG_LEVEL="debug").wait_until_ready()
        yield running
        running.end()


@pytest.fixture
def start_host(data: Path) -> Iterator[StartHost]:
    """`start_host(**environment)`: a host on `data`, not waited for."""
    hosts: list[RunningHost] = []

    def start(port: int | None = None, **environment: str) -> RunningHost:
        hosts.append(RunningHost(data, port, **environment))
        return hosts[-1]

    yield start
    for host in hosts:
        if host.process.poll() is None:
            host.process.send_signal(signal.SIGINT)
            host.process.send_signal(signal.SIGINT)
            host.process.wait(20)
