"""The tables of accounts, as its migrations make them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from shared.bus.outbox import outbox_table, relay_table

TIME = DateTime(timezone=True)
metadata = MetaData()


def _owner(*, unique: bool = False) -> Column[object]:
    """The account a row belongs to, and goes with."""
    return Column(
        "account_id", Uuid, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, unique=unique
    )


accounts = Table(
    "accounts",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("email", Text, nullable=False),
    Column("email_key", Text, nullable=False, unique=True),
    Column("display_name", Text),
    Column("locale", Text),
    Column("password_hash", Text, nullable=False),
    Column("password_changed_at", TIME, nullable=False),
    Column("plan", Text, nullable=False),
    Column("plan_changed_at", TIME, nullable=False),
    Column("tokens_valid_from", TIME, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("role", Text),
)

plan_changes = Table(
    "plan_changes",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    _owner(),
    Column("plan", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("changed_at", TIME, nullable=False),
    Index("plan_changes_account", "account_id"),
)

families = Table(
    "families",
    metadata,
    Column("id", Uuid, primary_key=True),
    _owner(),
    Column("generation", Integer, nullable=False),
    Column("started_at", TIME, nullable=False),
    Column("rotated_at", TIME, nullable=False),
    Column("issued_at", TIME, nullable=False),
    Column("expires_at", TIME, nullable=False),
    Column("ended_at", TIME),
    Column("ended_by", Text),
    Index("families_account", "account_id"),
)

refresh_tokens = Table(
    "refresh_tokens",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("family_id", Uuid, ForeignKey("families.id", ondelete="CASCADE"), nullable=False),
    Column("generation", Integer, nullable=False),
    Column("issued_at", TIME, nullable=False),
    Index("refresh_tokens_family", "family_id", "issued_at"),
)

password_resets = Table(
    "password_resets",
    metadata,
    Column("code_hash", LargeBinary, primary_key=True),
    _owner(unique=True),
    Column("created_at", TIME, nullable=False),
    Column("expires_at", TIME, nullable=False),
)

plus_codes = Table(
    "plus_codes",
    metadata,
    Column("code_hash", LargeBinary, primary_key=True),
    Column("created_at", TIME, nullable=False),
    Column("redeemed_at", TIME),
    Column("redeemed_by", Uuid, ForeignKey("accounts.id", ondelete="SET NULL")),
    Index("plus_codes_redeemed_by", "redeemed_by"),
)

players = Table(
    "players",
    metadata,
    Column("id", Uuid, primary_key=True),
    _owner(),
    Column("name", Text, nullable=False),
    Column("colour", Text),
    Column("archived", Boolean, nullable=False, server_default=text("false")),
    Column("parent", Uuid, ForeignKey("players.id", ondelete="SET NULL")),
    Column("created_as", JSONB, nullable=False),
    Column("created_at", TIME, nullable=False),
    Column("updated_at", TIME, nullable=False),
    Index("players_order", "account_id", "created_at", "id"),
    Index("players_parent", "parent", postgresql_where=text("parent IS NOT NULL")),
)

# Lives at most an hour and is worth nothing after a crash, so it is not written ahead.
attempts = Table(
    "attempts",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("subject_hash", LargeBinary, primary_key=True),
    Column("times", Integer, nullable=False),
    Column("expires_at", TIME, nullable=False),
    Index("attempts_expiry", "expires_at"),
    prefixes=["UNLOGGED"],
)

outbox = outbox_table(metadata)
relay = relay_table(metadata)
