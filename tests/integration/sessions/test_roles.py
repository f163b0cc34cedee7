"""What each database role may do: the log can be added to and never changed, and only the purge deletes."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError, ProgrammingError

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
        "DELETE FROM invitations",
        "DELETE FROM guests",
        "UPDATE invitations SET expires_at = 'infinity'",
        "UPDATE invitations SET role = 'recorder'",
        "UPDATE guests SET token_hash = ''",
        "UPDATE shares SET account_id = gen_random_uuid()",
        "TRUNCATE shares",
        "UPDATE inbox SET consumer = ''",
        "UPDATE result_key SET key = key",
        "DELETE FROM result_key",
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
        "UPDATE invitations SET revoked_at = NULL",
        "INSERT INTO guests (id) VALUES (gen_random_uuid())",
        "INSERT INTO shares (game_id) VALUES (gen_random_uuid())",
        "UPDATE shares SET role = 'recorder'",
        "SELECT key FROM result_key",
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


@pytest.mark.parametrize("by", ["NULL, NULL", "gen_random_uuid(), gen_random_uuid()"])
def test_an_entry_comes_from_an_account_or_from_a_guest(world: World, table: Table, by: str) -> None:
    entry = (
        "INSERT INTO entries (account_id, guest_id, game_id, seq, action_id, action, recorded_at,"
        f" rules_version, instructions, warnings) VALUES ({by}, '{table.id}', 2, gen_random_uuid(), '{{}}',"
        " now(), '1', '[]', '[]')"
    )
    with pytest.raises(IntegrityError, match="entries_by_one"), world.web.begin() as connection:
        connection.execute(text(entry))
    assert len(table.log()) == 1
