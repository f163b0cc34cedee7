"""Alembic's entry: migrations run on the connection that `shared.storage.migrate` holds."""

from shared.storage.environment import run

run()
