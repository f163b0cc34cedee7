"""A real Redis and an empty world on it for each test."""

from collections.abc import Iterator

import pytest

from infra.host.valkey import ValkeyServer
from tests.integration.gateway.live.sessions import Sessions
from tests.integration.gateway.live.world import World, connect
from tests.support.embedded import empty_valkey, server_data, valkey_server

__all__ = ["empty_valkey", "server_data", "valkey_server"]


@pytest.fixture
def world(empty_valkey: ValkeyServer) -> Iterator[World]:
    with connect(empty_valkey) as redis:
        made = World(Sessions(), empty_valkey, redis)
        yield made
        made.stop()
