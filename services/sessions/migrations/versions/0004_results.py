"""Finished games as figures: what is due, the ledger, and the cells that questions are answered from."""

from alembic import op

revision = "0004"
down_revision = "0003"

# Beside the result: what rules told of the game as a whole. Null for games that finished before.
_GAMES = """
ALTER TABLE games ADD COLUMN summary json;
"""

_TABLES = """
-- Rows are only ever added, and deleted by the job that has looked at their games.
CREATE TABLE results_due (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game_id uuid NOT NULL
);
CREATE INDEX results_due_by_game ON results_due (game_id);

-- The ledger: one row per game that counts, and account that it counts for. All accounts together count the
-- owner's row, or where the owner is gone that of another account. No reference to games: a purged one is
-- taken out by the job.
CREATE TABLE results (
    account_id uuid NOT NULL,
    game_id uuid NOT NULL,
    counts_for_all boolean NOT NULL,
    version integer NOT NULL,
    confirmed_at timestamptz NOT NULL,
    day date NOT NULL,
    duration_s integer NOT NULL CHECK (duration_s >= 0),
    pauses_s integer NOT NULL CHECK (pauses_s >= 0),
    player_ids uuid[] NOT NULL,
    players smallint NOT NULL,
    difficulty text NOT NULL,
    reduced_hand boolean NOT NULL,
    first_seat smallint NOT NULL,
    outcome text NOT NULL,
    remaining smallint NOT NULL,
    rating text NOT NULL,
    turns integer NOT NULL,
    plays integer NOT NULL,
    plays_per_turn smallint[] NOT NULL,
    back_tens smallint NOT NULL,
    back_tens_by_pile json NOT NULL,
    largest_jump smallint,
    control text NOT NULL,
    deck smallint NOT NULL,
    hands smallint[] NOT NULL,
    blocked_by smallint,
    rules_version text NOT NULL,
    PRIMARY KEY (account_id, game_id)
);
CREATE INDEX results_by_game ON results (game_id);
CREATE INDEX results_by_account ON results (account_id, confirmed_at DESC, game_id DESC);
CREATE INDEX results_by_time ON results (confirmed_at DESC, game_id DESC) WHERE counts_for_all;

-- Sums over the ledger. The nil UUID stands for all accounts, and for whatever player. A month or a day is
-- named by its first day, all time by the first there is. `counts` has how many games reached which number,
-- eight digits for each, that for 0 at the right: so they are added up as one number.
CREATE TABLE result_cells (
    account_id uuid NOT NULL,
    player_id uuid NOT NULL,
    period text NOT NULL CHECK (period IN ('all', 'month', 'day')),
    starts date NOT NULL,
    players smallint NOT NULL,
    difficulty text NOT NULL,
    reduced_hand boolean NOT NULL,
    games integer NOT NULL,
    counts numeric NOT NULL,
    turns bigint NOT NULL,
    back_tens bigint NOT NULL,
    duration_s bigint NOT NULL,
    PRIMARY KEY (account_id, player_id, period, starts, players, difficulty, reduced_hand)
) WITH (fillfactor = 70);

-- Another number whenever figures of an account may be others: what was answered before is old then.
CREATE TABLE result_marks (
    account_id uuid PRIMARY KEY,
    mark bigint NOT NULL
) WITH (fillfactor = 70);
"""

_GRANTS = """
GRANT SELECT, INSERT, DELETE ON results_due TO sessions;
GRANT SELECT, INSERT, UPDATE, DELETE ON results, result_cells TO sessions;
GRANT SELECT, INSERT, UPDATE ON result_marks TO sessions;
GRANT INSERT ON results_due TO sessions_purge;
"""

_FINISHED_BEFORE = """
INSERT INTO results_due (game_id) SELECT id FROM games WHERE json_typeof(result) = 'object'
    ORDER BY created_at, id;
"""


def upgrade() -> None:
    """Make room for figures, and have the games that are finished counted."""
    op.execute(_GAMES)
    op.execute(_TABLES)
    op.execute(_GRANTS)
    op.execute(_FINISHED_BEFORE)
