"""Invitations: others may take part in a game without an account, and entries may come from them."""

from alembic import op

revision = "0002"
down_revision = "0001"

_ENTRIES = """
ALTER TABLE entries
    ALTER COLUMN account_id DROP NOT NULL,
    ADD COLUMN guest_id uuid,
    ADD CONSTRAINT entries_by_one CHECK (num_nonnulls(account_id, guest_id) = 1);
"""

# Codes and tokens are 256 random bits: their plain SHA-256 gives nothing away.
_TABLES = """
CREATE TABLE invitations (
    id uuid PRIMARY KEY,
    game_id uuid NOT NULL REFERENCES games,
    role text NOT NULL CHECK (role IN ('recorder', 'viewer')),
    code_hash bytea NOT NULL UNIQUE CHECK (length(code_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE INDEX invitations_by_game ON invitations (game_id, created_at, id);

CREATE TABLE guests (
    id uuid PRIMARY KEY,
    game_id uuid NOT NULL REFERENCES games,
    invitation_id uuid NOT NULL REFERENCES invitations,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created_at timestamptz NOT NULL
);
CREATE INDEX guests_by_game ON guests (game_id);
CREATE INDEX guests_by_invitation ON guests (invitation_id);
"""

_GRANTS = """
GRANT SELECT, INSERT ON invitations, guests TO sessions;
GRANT UPDATE (revoked_at) ON invitations TO sessions;
GRANT SELECT, DELETE ON invitations, guests TO sessions_purge;
"""


def upgrade() -> None:
    """Make room for who plays without an account."""
    op.execute(_ENTRIES)
    op.execute(_TABLES)
    op.execute(_GRANTS)
