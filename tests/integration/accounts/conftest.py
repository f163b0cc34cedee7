"""A migrated database for the tests of accounts, and the service on it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from infra.host.postgres import ADMINISTRATOR, PostgresServer
from infra.postgres.roles import ACCOUNTS, provision
from services.accounts import bootstrap
from shared.storage import migrate
from shared.storage.engine import open_engine
from tests.integration.accounts.world import Clock, Person, World, quick
from tests.support.embedded import (
    Urls,
    empty_valkey,
    postgres_server,
    scratch_database,
    server_data,
    valkey_server,
)

__all__ = ["empty_valkey", "postgres_server", "scratch_database", "server_data", "valkey_server"]


@pytest.fixture(scope="session")
def urls(postgres_server: PostgresServer) -> Urls:
    """The migrated database by role; tests leave each other alone by being other people."""
    database = replace(ACCOUNTS, name=f"accounts_{uuid4().hex[:12]}")
    provision(postgres_server.url(ADMINISTRATOR), postgres_server.passwords, [database])
    found = {role: postgres_server.url(role, database.name) for role in (database.owner, *database.runtime)}
    engine = open_engine(found["accounts_owner"], pool_size=1)
    migrate.upgrade(engine, bootstrap.MIGRATIONS)
    engine.dispose()
    return found


@pytest.fixture
def world(urls: Urls, tmp_path: Path) -> Iterator[World]:
    config = quick(urls["accounts"], tmp_path / "keys")
    clock = Clock()
    keys = bootstrap.key_folder(config)
    keys.ensure(clock().timestamp())
    parts = replace(bootstrap.parts(config, keys), clock=clock)
    made = World(config, parts, bootstrap.app_of(parts, config), clock)
    made.forgive()
    yield made
    parts.engine.dispose()


@pytest.fixture
def anna(world: World) -> Person:
    return world.sign_up()
