"""Real PostgreSQL and Valkey for tests, on loopback, one of each for a test run's process.

The servers' `kill()`, `restart()`, `pause()` and `resume()` are there for fault tests; a test that breaks a
server brings it back (`restart()` does from every state).
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import redis
from psycopg import sql

from infra.host.postgres import ADMINISTRATOR, PostgresServer
from infra.host.valkey import ValkeyServer
from infra.postgres.roles import DATABASES, provision

ScratchDatabase = Callable[[str], "Urls"]
Urls = dict[str, str]


@pytest.fixture(scope="session")
def server_data() -> Iterator[Path]:
    """A folder that the servers' own user can reach, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="ninety-eight-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres_server(server_data: Path) -> Iterator[PostgresServer]:
    """`url(role)` for postgres, sessions_owner, sessions, sessions_purge, accounts_owner, accounts."""
    server = PostgresServer(server_data / "postgres", sync=False)
    server.start()
    yield server
    server.kill()  # what it would still write to disk is removed anyway


@pytest.fixture(scope="session")
def valkey_server(server_data: Path) -> Iterator[ValkeyServer]:
    """`url(user, database=0)` for rules, sessions, accounts, gateway, operator, administrator."""
    server = ValkeyServer(server_data / "valkey")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def empty_valkey(valkey_server: ValkeyServer) -> ValkeyServer:
    """The same server with nothing in it."""
    with redis.Redis.from_url(valkey_server.url("administrator")) as client:
        client.flushall()
    return valkey_server


@pytest.fixture
def scratch_database(postgres_server: PostgresServer) -> Iterator[ScratchDatabase]:
    """`scratch_database("sessions")` makes an empty database like that service's and answers role → URL."""
    made: list[str] = []

    def make(service: str) -> Urls:
        model = next(it for it in DATABASES if it.name == service)
        database = replace(model, name=f"{service}_{uuid4().hex[:12]}")
        provision(postgres_server.url(ADMINISTRATOR), postgres_server.passwords, [database])
        made.append(database.name)
        return {role: postgres_server.url(role, database.name) for role in (model.owner, *model.runtime)}

    yield make
    with psycopg.connect(postgres_server.url(ADMINISTRATOR), autocommit=True) as connection:
        for name in made:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
