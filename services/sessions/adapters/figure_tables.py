"""The tables of figures: what is to be counted, the ledger and the sums over it."""

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Identity,
    Index,
    Integer,
    LargeBinary,
    Numeric,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)

from services.sessions.adapters.tables import TIME, metadata

# Games whose figures may have changed. Added to with whatever changes them, emptied by the job that counts.
results_due = Table(
    "results_due",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("game_id", Uuid, nullable=False),
    Index("results_due_by_game", "game_id"),
)

# The ledger: a row per game that counts, and account that it counts for; one of them, the owner's while there
# is one, is what all accounts together count. From `players` on it is what rules told.
results = Table(
    "results",
    metadata,
    Column("account_id", Uuid, primary_key=True),
    Column("game_id", Uuid, primary_key=True),
    Column("counts_for_all", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("confirmed_at", TIME, nullable=False),
    Column("day", Date, nullable=False),
    Column("duration_s", Integer, nullable=False),
    Column("pauses_s", Integer, nullable=False),
    Column("player_ids", ARRAY(Uuid), nullable=False),
    Column("players", SmallInteger, nullable=False),
    Column("difficulty", Text, nullable=False),
    Column("reduced_hand", Boolean, nullable=False),
    Column("first_seat", SmallInteger, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("remaining", SmallInteger, nullable=False),
    Column("rating", Text, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("plays", Integer, nullable=False),
    Column("plays_per_turn", ARRAY(SmallInteger), nullable=False),
    Column("back_tens", SmallInteger, nullable=False),
    Column("back_tens_by_pile", JSON, nullable=False),
    Column("largest_jump", SmallInteger),
    Column("control", Text, nullable=False),
    Column("deck", SmallInteger, nullable=False),
    Column("hands", ARRAY(SmallInteger), nullable=False),
    Column("blocked_by", SmallInteger),
    Column("rules_version", Text, nullable=False),
    Index("results_by_game", "game_id"),
    Index("results_by_account", "account_id", text("confirmed_at DESC"), text("game_id DESC")),
    Index(
        "results_by_time",
        text("confirmed_at DESC"),
        text("game_id DESC"),
        postgresql_where=text("counts_for_all"),
    ),
)

# Sums over the ledger; see `services.sessions.domain.cells` for what keys and `counts` stand for.
result_cells = Table(
    "result_cells",
    metadata,
    Column("account_id", Uuid, primary_key=True),
    Column("player_id", Uuid, primary_key=True),
    Column("period", Text, primary_key=True),
    Column("starts", Date, primary_key=True),
    Column("players", SmallInteger, primary_key=True),
    Column("difficulty", Text, primary_key=True),
    Column("reduced_hand", Boolean, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("counts", Numeric, nullable=False),
    Column("turns", BigInteger, nullable=False),
    Column("back_tens", BigInteger, nullable=False),
    Column("duration_s", BigInteger, nullable=False),
)

# Another number whenever figures of an account may be others: what was answered before is old then.
result_marks = Table(
    "result_marks",
    metadata,
    Column("account_id", Uuid, primary_key=True),
    Column("mark", BigInteger, nullable=False),
)

# One row: the key under which operators see hashes of accounts and games.
result_key = Table(
    "result_key",
    metadata,
    Column("is_the_one", Boolean, primary_key=True, server_default=text("true")),
    Column("key", LargeBinary, nullable=False),
)
