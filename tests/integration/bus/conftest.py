"""Real servers for the tests of the bus, and a world on them that is empty for each test."""

from collections.abc import Callable, Iterator

import pytest
import redis

from infra.host.valkey import ValkeyServer
from shared.storage.engine import open_engine
from tests.integration.bus.world import Program, World, metadata
from tests.support.embedded import (
    ScratchDatabase,
    empty_valkey,
    postgres_server,
    scratch_database,
    server_data,
    valkey_server,
)

__all__ = ["empty_valkey", "postgres_server", "scratch_database", "server_data", "valkey_server"]

StartProgram = Callable[..., Program]


@pytest.fixture
def world(empty_valkey: ValkeyServer, scratch_database: ScratchDatabase) -> Iterator[World]:
    database_url = scratch_database("sessions")["sessions_owner"]
    engine = open_engine(database_url, pool_size=20)
    metadata.create_all(engine)
    client = redis.Redis.from_url(empty_valkey.url("administrator"), protocol=2, legacy_responses=False)
    yield World(engine, database_url, client, empty_valkey.url("sessions"))
    client.close()
    engine.dispose()


@pytest.fixture
def start(world: World) -> Iterator[StartProgram]:
    """`start("relay")`: a program of `programs.py` on the world's servers."""
    programs: list[Program] = []

    def start(name: str, *arguments: str) -> Program:
        environment = {"DATABASE_URL": world.database_url, "REDIS_URL": world.url}
        programs.append(Program(name, environment, *arguments))
        return programs[-1]

    yield start
    for program in programs:
        program.kill()
