"""Branches of devices, the conflicts they open, and what of them was refused."""

from alembic import op

revision = "0003"
down_revision = "0002"

_TABLES = """
CREATE TABLE branches (
    id uuid PRIMARY KEY,
    game_id uuid NOT NULL REFERENCES games,
    account_id uuid,
    guest_id uuid,
    device text NOT NULL,
    base_version integer NOT NULL CHECK (base_version >= 0),
    actions json NOT NULL,
    outcomes json NOT NULL,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    received_at timestamptz NOT NULL,
    newest_at timestamptz NOT NULL,
    CONSTRAINT branches_by_one CHECK (num_nonnulls(account_id, guest_id) = 1)
);
CREATE UNIQUE INDEX branches_once ON branches (game_id, device, coalesce(account_id, guest_id), digest);

CREATE TABLE conflicts (
    id uuid PRIMARY KEY,
    game_id uuid NOT NULL REFERENCES games,
    branch_id uuid NOT NULL UNIQUE REFERENCES branches,
    status text NOT NULL CHECK (status IN ('pending', 'merged', 'needs_decision', 'settled')),
    base_version integer NOT NULL CHECK (base_version >= 0),
    length integer NOT NULL CHECK (length > 0),
    cloud_version integer NOT NULL CHECK (cloud_version >= 0),
    found json,
    outline json NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    tried_at timestamptz NOT NULL
);
CREATE INDEX conflicts_by_game ON conflicts (game_id, created_at, id);
CREATE INDEX conflicts_pending ON conflicts (tried_at) WHERE status = 'pending';
-- Which conflicts are settled, the log says: few entries of few games.
CREATE INDEX entries_resolving ON entries (game_id, seq) WHERE action ->> 'type' = 'resolve';

-- No reference to games: the one statement that writes entries takes the game from its head.
CREATE TABLE parked (
    game_id uuid NOT NULL,
    action_id uuid NOT NULL,
    action json NOT NULL,
    code text NOT NULL,
    account_id uuid,
    guest_id uuid,
    device text NOT NULL,
    at timestamptz,
    parked_at timestamptz NOT NULL,
    PRIMARY KEY (game_id, action_id),
    CONSTRAINT parked_by_one CHECK (num_nonnulls(account_id, guest_id) = 1)
);
"""

_GRANTS = """
GRANT SELECT, INSERT, UPDATE ON branches, conflicts TO sessions;
GRANT SELECT, INSERT, DELETE ON parked TO sessions;
GRANT SELECT, DELETE ON branches, conflicts, parked TO sessions_purge;
"""


def upgrade() -> None:
    """Make room for what devices recorded on their own."""
    op.execute(_TABLES)
    op.execute(_GRANTS)
