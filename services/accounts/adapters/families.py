"""Refresh-token families in PostgreSQL; of a token only its SHA-256 is kept. The caller holds the account."""

from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from services.accounts.adapters.tables import accounts, families, refresh_tokens
from services.accounts.domain.families import Family

KEEP_ENDED = timedelta(days=30)


def start(connection: Connection, family: Family, now: datetime) -> None:
    """Insert `family`, begun `now`."""
    connection.execute(
        insert(families).values(
            id=family.id,
            account_id=family.account_id,
            generation=family.generation,
            started_at=now,
            rotated_at=family.rotated_at,
            issued_at=now,
            expires_at=family.expires_at,
        )
    )


def owner_of(connection: Connection, token: str) -> UUID | None:
    """The account that `token` was issued to; None for a token that is not known."""
    statement = select(families.c.account_id).join(refresh_tokens).where(_is(token))
    return connection.execute(statement).scalar_one_or_none()


def find(connection: Connection, token: str) -> tuple[Family, int] | None:
    """The family of `token` and the token's generation."""
    statement = (
        select(
            families.c.id,
            families.c.account_id,
            families.c.generation,
            families.c.rotated_at,
            families.c.expires_at,
            families.c.ended_at,
            refresh_tokens.c.generation,
        )
        .join(refresh_tokens)
        .where(_is(token))
    )
    row = connection.execute(statement).one_or_none()
    return None if row is None else (Family(*row[:6]), row[6])


def keep(connection: Connection, family: Family, token: str, issued_at: datetime) -> None:
    """Record that `token` of the family's current generation was issued, and the family's state."""
    connection.execute(
        update(families)
        .where(families.c.id == family.id)
        .values(
            generation=family.generation,
            rotated_at=family.rotated_at,
            expires_at=family.expires_at,
            issued_at=issued_at,
        )
    )
    connection.execute(
        insert(refresh_tokens).values(
            token_hash=_hash(token),
            family_id=family.id,
            generation=family.generation,
            issued_at=issued_at,
        )
    )


def end(connection: Connection, family_id: UUID, now: datetime, reason: str) -> None:
    """End one family; an ended one stays as it is."""
    connection.execute(
        update(families)
        .where(families.c.id == family_id, families.c.ended_at.is_(None))
        .values(ended_at=now, ended_by=reason)
    )


def end_all(connection: Connection, account_id: UUID, now: datetime, reason: str) -> None:
    """End every family of the account."""
    connection.execute(
        update(families)
        .where(families.c.account_id == account_id, families.c.ended_at.is_(None))
        .values(ended_at=now, ended_by=reason)
    )


def last_issued(connection: Connection, account_id: UUID) -> datetime | None:
    """When the newest access token of the account was issued."""
    statement = select(func.max(families.c.issued_at)).where(families.c.account_id == account_id)
    newest: datetime | None = connection.execute(statement).scalar_one()
    return newest


def is_denied(connection: Connection, account_id: UUID, family_id: UUID, issued_at: datetime) -> bool:
    """Whether an access token ended before its time: account gone, family ended, or issued before a cut."""
    statement = (
        select(accounts.c.tokens_valid_from, families.c.ended_at)
        .join(families, families.c.account_id == accounts.c.id)
        .where(accounts.c.id == account_id, families.c.id == family_id)
    )
    row = connection.execute(statement).one_or_none()
    return row is None or row.ended_at is not None or issued_at < row.tokens_valid_from


def forget(connection: Connection, account_id: UUID, now: datetime) -> None:
    """Delete the account's families that were over long ago; their tokens are unknown from then on."""
    over = func.least(families.c.ended_at, families.c.expires_at)
    connection.execute(delete(families).where(families.c.account_id == account_id, over < now - KEEP_ENDED))


def forget_tokens(connection: Connection, family_id: UUID, before: datetime) -> None:
    """Delete the family's tokens issued before `before`: so old that the family would have expired."""
    connection.execute(
        delete(refresh_tokens).where(
            refresh_tokens.c.family_id == family_id, refresh_tokens.c.issued_at < before
        )
    )


def _hash(token: str) -> bytes:
    return sha256(token.encode()).digest()


def _is(token: str) -> ColumnElement[bool]:
    return refresh_tokens.c.token_hash == _hash(token)
