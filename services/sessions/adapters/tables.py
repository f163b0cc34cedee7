"""The tables of sessions but those of figures, as SQLAlchemy Core sees them."""

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    func,
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

# Who sits where. Names live here and in the game's `request`, and nowhere in the log, so that they can change
# and be cleared. `saved_id` is the player asked for; `player_id` whom it counts as after a merge.
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

# Accounts that have a game besides its owner: they accepted an invitation, and go when that is withdrawn.
shares = Table(
    "shares",
    metadata,
    Column("game_id", Uuid, ForeignKey("games.id"), primary_key=True),
    Column("account_id", Uuid, primary_key=True),
    Column("role", Text, nullable=False),
    Column("invitation_id", Uuid, ForeignKey("invitations.id"), nullable=False),
    Column("joined_at", TIME, nullable=False),
    Column("granted_at", TIME, nullable=False),
    Column("created_at", TIME, nullable=False),
    Index("shares_by_account", "account_id", "created_at", "game_id"),
    Index("shares_by_invitation", "invitation_id"),
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

# What sessions knows of accounts, by their events.
people = Table(
    "people",
    metadata,
    Column("account_id", Uuid, primary_key=True),
    Column("tokens_valid_from", TIME),
    Column("deleted_at", TIME),
    Column("plan", Text),
    Column("plan_changed_at", TIME),
    Index("people_deleted", "account_id", postgresql_where="deleted_at IS NOT NULL"),
)

# Sign-ins that are over while access tokens of theirs may still be about.
ended_sign_ins = Table(
    "ended_sign_ins",
    metadata,
    Column("family", Uuid, primary_key=True),
    Column("ended_at", TIME, nullable=False),
)

outbox = outbox_table(metadata)
Index("outbox_by_subject", outbox.c.subject)
inbox = inbox_table(metadata)
relay = relay_table(metadata)
