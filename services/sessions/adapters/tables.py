"""The tables of sessions, as SQLAlchemy Core sees them."""

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    func,
    text,
)

from shared.bus.outbox import inbox_table, outbox_table, relay_table

metadata = MetaData()
TIME = DateTime(timezone=True)

# The head: what the log amounts to. `state` is opaque; `table_doc` is what rules tells the public, `summary`
# what it tells of a finished game as a whole.
games = Table(
    "games",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("account_id", Uuid, nullable=False),
    Column("request", JSON, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("rules_version", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", JSON, nullable=False),
    Column("table_doc", JSON, nullable=False),
    Column("status", Text, nullable=False),
    Column("result", JSON(none_as_null=True)),
    Column("undo", JSON(none_as_null=True)),
    Column("redo", JSON(none_as_null=True)),
    Column("created_at", TIME, nullable=False),
    Column("updated_at", TIME, nullable=False),
    Column("binned_at", TIME),
    Column("summary", JSON(none_as_null=True)),
    Index("games_by_account", "account_id", "created_at", "id"),
    Index("games_in_bin", "binned_at", postgresql_where="binned_at IS NOT NULL"),
)

# Who sits where. Names live here and nowhere in the log, so that they can change and be cleared.
# `saved_id` is the player asked for; `player_id` whom it counts as after a merge.
seats = Table(
    "seats",
    metadata,
    Column("game_id", Uuid, ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("saved_id", Uuid),
    Column("player_id", Uuid),
    Column("name", Text, nullable=False),
    Index("seats_by_saved", "saved_id"),
    Index("seats_by_player", "player_id"),
)

# The log: append-only for the web and worker roles.
entries = Table(
    "entries",
    metadata,
    Column("game_id", Uuid, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("action_id", Uuid, nullable=False),
    Column("action", JSON, nullable=False),
    Column("account_id", Uuid),
    Column("guest_id", Uuid),
    Column("device", Text),
    Column("at", TIME),
    Column("recorded_at", TIME, nullable=False),
    Column("rules_version", Text, nullable=False),
    Column("instructions", JSON, nullable=False),
    Column("warnings", JSON, nullable=False),
    UniqueConstraint("game_id", "action_id", name="entries_action_once"),
    Index("entries_resolving", "game_id", "seq", postgresql_where="action ->> 'type' = 'resolve'"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("game_id", Uuid, ForeignKey("games.id"), nullable=False),
    Column("role", Text, nullable=False),
    Column("code_hash", LargeBinary, nullable=False, unique=True),
    Column("created_at", TIME, nullable=False),
    Column("expires_at", TIME, nullable=False),
    Column("revoked_at", TIME),
    Index("invitations_by_game", "game_id", "created_at", "id"),
)

# Who accepted an invitation; its own token counts as long as the invitation does.
guests = Table(
    "guests",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("game_id", Uuid, ForeignKey("games.id"), nullable=False),
    Column("invitation_id", Uuid, ForeignKey("invitations.id"), nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("created_at", TIME, nullable=False),
    Index("guests_by_game", "game_id"),
    Index("guests_by_invitation", "invitation_id"),
)

# What a device recorded on its own, as it sent it; `digest` tells whether it sends the same again.
branches = Table(
    "branches",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("game_id", Uuid, ForeignKey("games.id"), nullable=False),
    Column("account_id", Uuid),
    Column("guest_id", Uuid),
    Column("device", Text, nullable=False),
    Column("base_version", Integer, nullable=False),
    Column("actions", JSON, nullable=False),
    Column("outcomes", JSON, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("received_at", TIME, nullable=False),
    Column("newest_at", TIME, nullable=False),
)
Index(
    "branches_once",
    branches.c.game_id,
    branches.c.device,
    func.coalesce(branches.c.account_id, branches.c.guest_id),
    branches.c.digest,
    unique=True,
)

# What the first `length` actions of a branch and the log make together: `found` is what rules answered when
# the log was at `cloud_version`, `outline` what lists show. `tried_at` is when a sweep took it last.
conflicts = Table(
    "conflicts",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("game_id", Uuid, ForeignKey("games.id"), nullable=False),
    Column("branch_id", Uuid, ForeignKey("branches.id"), nullable=False, unique=True),
    Column("status", Text, nullable=False),
    Column("base_version", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("cloud_version", Integer, nullable=False),
    Column("found", JSON(none_as_null=True)),
    Column("outline", JSON, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("updated_at", TIME, nullable=False),
    Column("tried_at", TIME, nullable=False),
    Index("conflicts_by_game", "game_id", "created_at", "id"),
    Index("conflicts_pending", "tried_at", postgresql_where="status = 'pending'"),
)

# Actions of branches that were refused: kept until somebody has looked at them.
parked = Table(
    "parked",
    metadata,
    Column("game_id", Uuid, primary_key=True),
    Column("action_id", Uuid, primary_key=True),
    Column("action", JSON, nullable=False),
    Column("code", Text, nullable=False),
    Column("account_id", Uuid),
    Column("guest_id", Uuid),
    Column("device", Text, nullable=False),
    Column("at", TIME),
    Column("parked_at", TIME, nullable=False),
)

# Games whose figures may have changed. Added to with whatever changes them, emptied by the job that counts.
results_due = Table(
    "results_due",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("game_id", Uuid, nullable=False),
    Index("results_due_by_game", "game_id"),
)

# The ledger: a row per game that counts, and account that it counts for; all accounts together count the
# owner's. From `players` on it is what rules told.
results = Table(
    "results",
    metadata,
    Column("account_id", Uuid, primary_key=True),
    Column("game_id", Uuid, primary_key=True),
    Column("is_owned", Boolean, nullable=False),
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
        "results_by_time", text("confirmed_at DESC"), text("game_id DESC"), postgresql_where=text("is_owned")
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

# What sessions knows of accounts, by their events.
people = Table(
    "people",
    metadata,
    Column("account_id", Uuid, primary_key=True),
    Column("tokens_valid_from", TIME),
    Column("deleted_at", TIME),
    Column("plan", Text),
    Column("plan_changed_at", TIME),
)

# Sign-ins that are over while access tokens of theirs may still be about.
ended_sign_ins = Table(
    "ended_sign_ins",
    metadata,
    Column("family", Uuid, primary_key=True),
    Column("ended_at", TIME, nullable=False),
)

outbox = outbox_table(metadata)
inbox = inbox_table(metadata)
relay = relay_table(metadata)
