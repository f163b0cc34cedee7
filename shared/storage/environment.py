"""What every service's Alembic `env.py` runs: migrations on the connection that `upgrade` holds."""

from alembic import context


def run() -> None:
    """Run the migrations of the current Alembic context in one transaction."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, transaction_per_migration=False)
    with context.begin_transaction():
        context.run_migrations()
