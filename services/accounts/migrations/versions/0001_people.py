"""Accounts, their tokens, players, plans and codes, and the tables between database and bus."""

from alembic import op

revision = "0001"
down_revision = None

_TABLES = """
CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    email_key text NOT NULL UNIQUE,
    display_name text,
    locale text,
    password_hash text NOT NULL,
    password_changed_at timestamptz NOT NULL,
    plan text NOT NULL CHECK (plan IN ('free', 'plus')),
    plan_changed_at timestamptz NOT NULL,
    tokens_valid_from timestamptz NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE plan_changes (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    plan text NOT NULL,
    source text NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX plan_changes_account ON plan_changes (account_id);

CREATE TABLE families (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    generation integer NOT NULL,
    started_at timestamptz NOT NULL,
    rotated_at timestamptz NOT NULL,
    issued_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    ended_by text
);
CREATE INDEX families_account ON families (account_id);

CREATE TABLE refresh_tokens (
    token_hash bytea PRIMARY KEY,
    family_id uuid NOT NULL REFERENCES families ON DELETE CASCADE,
    generation integer NOT NULL,
    issued_at timestamptz NOT NULL
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family_id, issued_at);

CREATE TABLE password_resets (
    code_hash bytea PRIMARY KEY,
    account_id uuid NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);

CREATE TABLE plus_codes (
    code_hash bytea PRIMARY KEY,
    created_at timestamptz NOT NULL,
    redeemed_at timestamptz,
    redeemed_by uuid REFERENCES accounts ON DELETE SET NULL
);
CREATE INDEX plus_codes_redeemed_by ON plus_codes (redeemed_by);

CREATE TABLE players (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    name text NOT NULL,
    colour text,
    archived boolean NOT NULL DEFAULT false,
    parent uuid REFERENCES players ON DELETE SET NULL,
    created_as jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX players_order ON players (account_id, created_at, id);
CREATE INDEX players_parent ON players (parent) WHERE parent IS NOT NULL;

CREATE UNLOGGED TABLE attempts (
    kind text NOT NULL,
    subject_hash bytea NOT NULL,
    times integer NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (kind, subject_hash)
);
CREATE INDEX attempts_expiry ON attempts (expires_at);

CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL UNIQUE,
    type text NOT NULL,
    subject text NOT NULL,
    data json NOT NULL,
    traceparent text,
    occurred_at timestamptz NOT NULL,
    published_at timestamptz,
    stream_id text
);
CREATE INDEX outbox_unpublished ON outbox (id) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

CREATE TABLE relay (
    stream text PRIMARY KEY,
    last_stream_id text NOT NULL DEFAULT '0-0',
    confirmed_below text NOT NULL DEFAULT '0-0'
);
"""

# What goes with an account is deleted by the foreign keys, which need no grant of their own.
_GRANTS = """
GRANT USAGE ON SCHEMA public TO accounts;
GRANT SELECT ON alembic_version TO accounts;
GRANT SELECT, INSERT, UPDATE, DELETE ON accounts, families, password_resets, attempts, outbox TO accounts;
GRANT SELECT, INSERT, DELETE ON refresh_tokens TO accounts;
GRANT SELECT, INSERT, UPDATE ON players, plus_codes, relay TO accounts;
GRANT SELECT, INSERT ON plan_changes TO accounts;
"""


def upgrade() -> None:
    """Create everything; the roles exist already (whoever provides the server makes them)."""
    op.execute(_TABLES)
    op.execute(_GRANTS)
