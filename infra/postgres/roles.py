"""Roles and databases, as data, and the step that brings a server to them.

Each service has an owner role for its migrations and a runtime role for its processes; migrations grant the
runtime roles what they need, table by table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psycopg
from psycopg import sql


@dataclass(frozen=True, slots=True)
class Database:
    name: str
    owner: str
    runtime: tuple[str, ...]


SESSIONS = Database("sessions", "sessions_owner", ("sessions", "sessions_purge"))
ACCOUNTS = Database("accounts", "accounts_owner", ("accounts",))
DATABASES = (SESSIONS, ACCOUNTS)
ROLES = tuple(role for database in DATABASES for role in (database.owner, *database.runtime))


def provision(
    administrator_url: str, passwords: Mapping[str, str], databases: Sequence[Database] = DATABASES
) -> None:
    """Create what is missing of `databases` and their roles, and set the roles' passwords; safe to run again.

    `administrator_url` names a superuser and the database `postgres`; `passwords` has one for each role.
    """
    with psycopg.connect(administrator_url, autocommit=True) as connection:
        # Two replicas of a one-shot step may start together; DDL on roles has no IF NOT EXISTS.
        connection.execute("SELECT pg_advisory_lock(hashtext('ninety-eight.provision'))")
        for database in databases:
            for role in (database.owner, *database.runtime):
                _provide_role(connection, role, passwords[role])
            _provide_database(connection, database)


def _provide_role(connection: psycopg.Connection, role: str, password: str) -> None:
    known = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is not None
    statement = sql.SQL(
        "{verb} ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD {password}"
    ).format(
        verb=sql.SQL("ALTER" if known else "CREATE"),
        role=sql.Identifier(role),
        password=sql.Literal(password),
    )
    connection.execute(statement)


def _provide_database(connection: psycopg.Connection, database: Database) -> None:
    name, owner = sql.Identifier(database.name), sql.Identifier(database.owner)
    row = connection.execute("SELECT FROM pg_database WHERE datname = %s", (database.name,)).fetchone()
    if row is None:
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, owner))
    connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(name))
    runtime = sql.SQL(", ").join(map(sql.Identifier, database.runtime))
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(name, runtime))
