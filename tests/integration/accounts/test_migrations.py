"""The database as the migrations make it."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from services.accounts import bootstrap
from services.accounts.adapters.tables import metadata
from shared.storage import migrate
from shared.storage.engine import open_engine
from tests.integration.accounts.world import World
from tests.support.embedded import Urls


def test_the_migrations_make_the_tables_the_service_uses(urls: Urls) -> None:
    engine = open_engine(urls["accounts_owner"], pool_size=1)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    assert migrate.upgrade(engine, bootstrap.MIGRATIONS) == migrate.head(bootstrap.MIGRATIONS)
    engine.dispose()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "DROP TABLE players",
        "DELETE FROM plan_changes",
        "DELETE FROM plus_codes",
        "DELETE FROM players",
        "UPDATE refresh_tokens SET generation = 0",
        "TRUNCATE accounts",
        "UPDATE alembic_version SET version_num = ''",
    ],
)
def test_the_running_service_may_do_no_more_than_it_needs(world: World, statement: str) -> None:
    with (
        world.engine.connect() as connection,
        pytest.raises(ProgrammingError, match=r"permission denied|must be owner"),
    ):
        connection.execute(text(statement))


def test_a_service_is_ready_when_its_database_is_current_and_it_has_a_key(world: World) -> None:
    assert world.call("GET", "/ready").json == {
        "status": "ready",
        "checks": {"database": True, "keys": True},
    }
    nowhere = bootstrap.app_of(
        bootstrap.parts(world.config, bootstrap.key_folder(world.config)), world.config
    )
    for key in world.config.keys_dir.glob("*.json"):
        key.unlink()
    answer = nowhere.test_client().get("/ready")
    assert (answer.status_code, answer.json) == (
        503,
        {"status": "not ready", "checks": {"database": True, "keys": False}},
    )
