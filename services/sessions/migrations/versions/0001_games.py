"""Games, seats, the log, people, and the tables between database and bus."""

from alembic import op

revision = "0001"
down_revision = None

_TABLES = """
-- A head is a few kilobytes and changes with every play: it stays in its row, uncompressed, and its page has
-- room for the next version of it.
CREATE TABLE games (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    request json NOT NULL,
    ruleset text NOT NULL,
    rules_version text NOT NULL,
    options json NOT NULL,
    version integer NOT NULL CHECK (version >= 0),
    state json NOT NULL,
    table_doc json NOT NULL,
    status text NOT NULL,
    result json,
    undo json,
    redo json,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    binned_at timestamptz
) WITH (fillfactor = 50, toast_tuple_target = 8160);
CREATE INDEX games_by_account ON games (account_id, created_at, id);
CREATE INDEX games_in_bin ON games (binned_at) WHERE binned_at IS NOT NULL;

CREATE TABLE seats (
    game_id uuid NOT NULL REFERENCES games,
    seat integer NOT NULL,
    saved_id uuid,
    player_id uuid,
    name text NOT NULL,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX seats_by_saved ON seats (saved_id);
CREATE INDEX seats_by_player ON seats (player_id);

-- No reference to games: the one statement that writes entries takes the game from its head.
CREATE TABLE entries (
    game_id uuid NOT NULL,
    seq integer NOT NULL CHECK (seq > 0),
    action_id uuid NOT NULL,
    action json NOT NULL,
    account_id uuid NOT NULL,
    device text,
    at timestamptz,
    recorded_at timestamptz NOT NULL,
    rules_version text NOT NULL,
    instructions json NOT NULL,
    warnings json NOT NULL,
    PRIMARY KEY (game_id, seq),
    CONSTRAINT entries_action_once UNIQUE (game_id, action_id)
);

CREATE TABLE people (
    account_id uuid PRIMARY KEY,
    tokens_valid_from timestamptz,
    deleted_at timestamptz,
    plan text,
    plan_changed_at timestamptz
);
CREATE INDEX people_deleted ON people (account_id) WHERE deleted_at IS NOT NULL;

CREATE TABLE ended_sign_ins (
    family uuid PRIMARY KEY,
    ended_at timestamptz NOT NULL
);

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
) WITH (toast_tuple_target = 8160);
CREATE INDEX outbox_unpublished ON outbox (id) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;
CREATE INDEX outbox_by_subject ON outbox (subject);

CREATE TABLE inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    handled_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_by_time ON inbox (handled_at);

CREATE TABLE relay (
    stream text PRIMARY KEY,
    last_stream_id text NOT NULL DEFAULT '0-0',
    confirmed_below text NOT NULL DEFAULT '0-0'
);
"""

# The web and worker roles can add to the log and never change it; only the purge can delete.
_GRANTS = """
GRANT USAGE ON SCHEMA public TO sessions, sessions_purge;
GRANT SELECT ON alembic_version TO sessions, sessions_purge;
GRANT SELECT, INSERT ON entries, inbox, ended_sign_ins TO sessions;
GRANT SELECT, INSERT, UPDATE ON games, seats, people, outbox, relay TO sessions;
GRANT SELECT, DELETE ON games, seats, entries, inbox, outbox, ended_sign_ins TO sessions_purge;
GRANT UPDATE (binned_at) ON games TO sessions_purge;
GRANT INSERT ON outbox TO sessions_purge;
GRANT SELECT ON people, relay TO sessions_purge;
"""


def upgrade() -> None:
    """Create everything; the roles exist already (whoever provides the server makes them)."""
    op.execute(_TABLES)
    op.execute(_GRANTS)
