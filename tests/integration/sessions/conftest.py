"""Sessions on real servers, with the rules answering, for tests below the gateway."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from infra.host.postgres import ADMINISTRATOR, PostgresServer
from infra.host.valkey import ValkeyServer
from infra.postgres.roles import ACCOUNTS, SESSIONS, Database, provision
from services.accounts import bootstrap as accounts_bootstrap
from services.rules import bootstrap as rules_bootstrap
from services.rules import settings as rules_settings
from services.sessions import bootstrap
from shared.bus.requests import Requests
from shared.storage import migrate
from shared.storage.engine import open_engine
from tests.integration.accounts import world as accounts_world
from tests.integration.sessions.ledgers import assert_exact, job
from tests.integration.sessions.running import running
from tests.integration.sessions.served import Served
from tests.integration.sessions.workers import broker_url, start
from tests.integration.sessions.world import World
from tests.support.embedded import Urls, postgres_server, server_data, valkey_server

__all__ = ["broker_url", "postgres_server", "server_data", "start", "valkey_server"]


def migrated(server: PostgresServer, model: Database, scripts: Path) -> Urls:
    """A new database like `model`, migrated; role → URL."""
    database = replace(model, name=f"{model.name}_{uuid4().hex[:12]}")
    provision(server.url(ADMINISTRATOR), server.passwords, [database])
    urls = {role: server.url(role, database.name) for role in (database.owner, *database.runtime)}
    engine = open_engine(urls[database.owner], pool_size=1)
    migrate.upgrade(engine, scripts)
    engine.dispose()
    return urls | {ADMINISTRATOR: server.url(ADMINISTRATOR, database.name)}


@pytest.fixture(scope="session")
def rules(valkey_server: ValkeyServer) -> Iterator[Requests]:
    """Requests to the rules, who answer them."""
    config = replace(rules_settings.read(), redis_url=valkey_server.url("rules"))
    requests = Requests(valkey_server.url("sessions"), bootstrap.RULES_REQUESTS, "sessions")
    with running(lambda stop: rules_bootstrap.respond(config, stop)):
        yield requests
    requests.close()


@pytest.fixture(scope="session")
def urls(postgres_server: PostgresServer) -> Urls:
    """The migrated database by role; tests leave each other alone by being other people."""
    return migrated(postgres_server, SESSIONS, bootstrap.MIGRATIONS)


@pytest.fixture
def world(urls: Urls, valkey_server: ValkeyServer, rules: Requests) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(urls, valkey_server, rules, stack)


@pytest.fixture
def served(world: World) -> Served:
    """The web app, asked over HTTP in this process."""
    return Served(world)


@pytest.fixture(scope="session")
def accounts_urls(postgres_server: PostgresServer) -> Urls:
    """The migrated database of accounts by role."""
    return migrated(postgres_server, ACCOUNTS, accounts_bootstrap.MIGRATIONS)


@pytest.fixture
def accounts(
    accounts_urls: Urls, valkey_server: ValkeyServer, tmp_path: Path
) -> Iterator[accounts_world.World]:
    """The service accounts with its relay and its responder."""
    config = accounts_world.quick(
        accounts_urls["accounts"], tmp_path / "keys", redis_url=valkey_server.url("accounts")
    )
    clock = accounts_world.Clock()
    keys = accounts_bootstrap.key_folder(config)
    keys.ensure(clock().timestamp())
    parts = replace(accounts_bootstrap.parts(config, keys), clock=clock)
    found = accounts_world.World(config, parts, accounts_bootstrap.app_of(parts, config), clock)
    found.forgive()

    def relay(stop: threading.Event) -> None:
        accounts_bootstrap.relay(config, stop)

    def respond(stop: threading.Event) -> None:
        accounts_bootstrap.respond(config, stop)

    with running(relay, respond):
        yield found
    parts.engine.dispose()


@pytest.fixture
def exact(world: World) -> Iterator[None]:
    """Whatever a test did, the figures are exact in the end; for a module with a database of its own."""
    yield
    job(world).sweep()
    assert_exact(world)
