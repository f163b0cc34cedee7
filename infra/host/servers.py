"""Chooses where data lives: embedded servers below the data directory, or servers of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.host.postgres import ADMINISTRATOR, PostgresServer
from infra.host.server import EmbeddedServer
from infra.host.valkey import ValkeyServer
from infra.host.wiring import (
    DATABASE_ROLES,
    REDIS_USERS,
    database_variables,
    own_servers,
    redis_variables,
)


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers to run here, and the addresses (with passwords) of all, by variable."""

    embedded: tuple[EmbeddedServer, ...]
    variables: Mapping[str, str]


def choose(root: Path, given: Mapping[str, str]) -> Servers:
    """Embedded servers below `root`, except where `given` (the environment) names servers of one's own.

    Raises IncompleteSettings when it names them for some roles or users only.
    """
    embedded: list[EmbeddedServer] = []
    database = own_servers(given, DATABASE_ROLES, "PostgreSQL")
    if database is None:
        postgres = PostgresServer(root / "postgres")
        embedded.append(postgres)
        database = database_variables(postgres.url) | {
            "ADMINISTRATOR_DATABASE_URL": postgres.url(ADMINISTRATOR)
        }
    broker = own_servers(given, REDIS_USERS, "Redis")
    if broker is None:
        valkey = ValkeyServer(root / "valkey")
        embedded.append(valkey)
        broker = redis_variables(valkey.url) | {"ADMINISTRATOR_REDIS_URL": valkey.url("administrator")}
    return Servers(tuple(embedded), database | broker)
