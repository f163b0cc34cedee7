"""What each database role may do: the log can be added to and never changed, and only the purge deletes."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

from tests.integration.sessions.world import Table, World
from tests.support.api import play

FORBIDDEN = {
    "sessions": [
        "UPDATE entries SET seq = seq + 1",
        "UPDATE entries SET action = '{}'",
        "DELETE FROM entries",
        "TRUNCATE entries",
        "DELETE FROM games",
        "DELETE FROM seats",
        "DELETE FROM outbox",
        "DELETE FROM inbox",
        "DELETE FROM people",
        "UPDATE inbox SET consumer = ''",
        "DROP TABLE entries",
        "ALTER TABLE entries DISABLE TRIGGER ALL",
        "CREATE TABLE extra (id int)",
        "UPDATE alembic_version SET version_num = ''",
    ],
    "sessions_purge": [
        "UPDATE entries SET seq = seq + 1",
        "UPDATE games SET version = 0",
        "UPDATE seats SET name = ''",
        "INSERT INTO inbox (consumer, event_id) VALUES ('sessions', gen_random_uuid())",
        "UPDATE people SET plan = 'plus'",
        "TRUNCATE entries",
        "DROP TABLE games",
    ],
}


@pytest.fixture
def table(world: World) -> Table:
    made = world.new_game()
    made.send(play("up1", 7))
    return made


def may_not(engine: Engine, statement: str) -> bool:
    with (
        pytest.raises(ProgrammingError, match=r"permission denied|must be owner"),
        engine.begin() as connection,
    ):
        connection.execute(text(statement))
    return True


@pytest.mark.parametrize(
    ("role", "statement"), [(role, statement) for role, all_ in FORBIDDEN.items() for statement in all_]
)
def test_a_role_may_not(world: World, table: Table, role: str, statement: str) -> None:
    engines: dict[str, Callable[[], Engine]] = {
        "sessions": lambda: world.web,
        "sessions_purge": lambda: world.purge,
    }
    assert may_not(engines[role](), statement)
    assert len(table.log()) == 1
