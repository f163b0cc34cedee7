"""Connections to the services: pooled, spread over replicas, given up before the other side does."""

import random
import socket
import time
from typing import Any

from urllib3 import HTTPConnectionPool
from urllib3.connection import HTTPConnection
from urllib3.exceptions import NewConnectionError
from urllib3.util import parse_url

IDLE_S = 20.0  # the services close a connection that is idle for a minute
AGE_S = 30.0  # so that a replica that was added gets its share


class Connection(HTTPConnection):
    """Counts as dropped once idle or old; tries in any order the addresses behind its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = self.host
        self._opened_at = self._used_at = 0.0

    @property
    def is_connected(self) -> bool:
        now = time.monotonic()
        fresh = now - self._used_at < IDLE_S and now - self._opened_at < AGE_S
        return fresh and super().is_connected

    def request(self, *args: Any, **kwargs: Any) -> None:
        self._used_at = time.monotonic()
        super().request(*args, **kwargs)

    def connect(self) -> None:
        failure: NewConnectionError | None = None
        for address in _addresses(self._name, self.port or 80):
            self.host = address
            try:
                super().connect()
            except NewConnectionError as error:
                failure = error
            else:
                self._opened_at = time.monotonic()
                return
        assert failure is not None
        raise failure


class Pool(HTTPConnectionPool):
    """A pool of such connections."""

    ConnectionCls = Connection


def open_pool(url: str, size: int) -> Pool:
    """A pool for the service at `url`; `size` is how many threads may use it at once."""
    address = parse_url(url)
    if address.scheme != "http" or address.host is None:
        raise ValueError(f"{url!r} is not the http address of a service")
    return Pool(address.host, address.port or 80, maxsize=size, block=True)


def _addresses(name: str, port: int) -> list[str]:
    """All addresses of `name` by chance: the system's order would favour the same replica every time."""
    try:
        found = {str(address[0]) for *_, address in socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)}
    except OSError:
        return [name]  # connecting fails the same way, and is reported as such
    return random.sample(sorted(found), len(found))
