"""The database as the migrations make it: tables of figures, and what had finished before they were there."""

import shutil
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from infra.host.postgres import ADMINISTRATOR, PostgresServer
from infra.postgres.roles import SESSIONS, provision
from services.sessions import bootstrap
from services.sessions.adapters.tables import metadata
from shared.storage import migrate
from shared.storage.engine import open_engine
from tests.integration.sessions.world import World

_FINISHED = """
    INSERT INTO games (id, account_id, request, ruleset, rules_version, options, version, state, table_doc,
        status, result, created_at, updated_at)
    VALUES (:id, :id, '{}', 'the-game', '1', '{}', 2, '[]', '{}', 'finished', :result, now(), now())
"""


def test_the_migrations_make_the_tables_as_they_are_used(world: World) -> None:
    with world.owner.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_games_that_finished_before_are_due_and_others_are_not(
    postgres_server: PostgresServer, tmp_path: Path
) -> None:
    database = replace(SESSIONS, name=f"sessions_{uuid4().hex[:12]}")
    provision(postgres_server.url(ADMINISTRATOR), postgres_server.passwords, [database])
    engine = open_engine(postgres_server.url(database.owner, database.name), pool_size=1)
    before = tmp_path / "migrations"
    later = shutil.ignore_patterns("__pycache__", *(f"{number:04}*" for number in range(4, 100)))
    shutil.copytree(bootstrap.MIGRATIONS, before, ignore=later)
    assert migrate.upgrade(engine, before) == "0003"
    finished = uuid4()
    with engine.begin() as connection:
        for game_id, result in ((finished, '{"outcome": "loss"}'), (uuid4(), "null"), (uuid4(), None)):
            connection.execute(text(_FINISHED), {"id": game_id, "result": result})
    migrate.upgrade(engine, bootstrap.MIGRATIONS)
    with engine.begin() as connection:
        assert list(connection.execute(text("SELECT game_id FROM results_due")).scalars()) == [finished]
    engine.dispose()


@pytest.mark.parametrize(
    ("role", "statement"),
    [
        ("sessions", "UPDATE results_due SET game_id = gen_random_uuid()"),
        ("sessions", "DELETE FROM result_marks"),
        ("sessions", "TRUNCATE result_cells"),
        ("sessions_purge", "SELECT game_id FROM results"),
        ("sessions_purge", "DELETE FROM results_due"),
    ],
)
def test_each_role_may_do_no_more_with_figures_than_it_needs(world: World, role: str, statement: str) -> None:
    engine = {"sessions": world.web, "sessions_purge": world.purge}[role]
    with engine.begin() as connection, pytest.raises(ProgrammingError, match="permission denied"):
        connection.execute(text(statement))
