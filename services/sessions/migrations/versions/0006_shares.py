"""Games shared between accounts: who has whose game besides, and as what."""

from alembic import op

revision = "0006"
down_revision = "0005"

# It goes with its invitation, when that is withdrawn, and does not end when that expires. The account has the
# game since `joined_at` and in this role since `granted_at`; the game is of `created_at`, as lists go by.
_SHARES = """
CREATE TABLE shares (
    game_id uuid NOT NULL REFERENCES games,
    account_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('recorder', 'viewer')),
    invitation_id uuid NOT NULL REFERENCES invitations,
    joined_at timestamptz NOT NULL,
    granted_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (game_id, account_id)
);
CREATE INDEX shares_by_account ON shares (account_id, created_at, game_id);
CREATE INDEX shares_by_invitation ON shares (invitation_id);
"""

_GRANTS = """
GRANT SELECT, INSERT, DELETE ON shares TO sessions;
GRANT UPDATE (role, invitation_id, granted_at) ON shares TO sessions;
GRANT SELECT, DELETE ON shares TO sessions_purge;
"""


def upgrade() -> None:
    """Make room for games that several accounts have."""
    op.execute(_SHARES)
    op.execute(_GRANTS)
