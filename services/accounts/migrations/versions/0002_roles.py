"""Roles: an operator sees figures over all accounts."""

from alembic import op

revision = "0002"
down_revision = "0001"

_ROLES = """
ALTER TABLE accounts ADD COLUMN role text CHECK (role IN ('operator'));
"""


def upgrade() -> None:
    """Make room for what few accounts are besides."""
    op.execute(_ROLES)
