"""Alembic as a one-shot step: upgrades under an advisory lock, and tells readiness whether it is done."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

LOCK_KEY = 9_800_001


def _config(scripts: Path) -> Config:
    config = Config()
    config.set_main_option("script_location", str(scripts))
    return config


@cache
def head(scripts: Path) -> str:
    """The newest revision below `scripts` (a migrations folder)."""
    revision = ScriptDirectory.from_config(_config(scripts)).get_current_head()
    if revision is None:
        raise LookupError(f"no migrations in {scripts}")
    return revision


def upgrade(engine: Engine, scripts: Path) -> str:
    """Bring the database to `head(scripts)` and return it; a second caller waits and finds it done."""
    config = _config(scripts)
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": LOCK_KEY})
        connection.commit()
        try:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()
        finally:
            connection.rollback()
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": LOCK_KEY})
            connection.commit()
    return head(scripts)


def is_current(engine: Engine, scripts: Path) -> bool:
    """Whether the database answers and stands at `head(scripts)`."""
    try:
        with engine.connect() as connection:
            return MigrationContext.configure(connection).get_current_revision() == head(scripts)
    except DBAPIError:
        return False
