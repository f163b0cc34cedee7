"""One-time codes in PostgreSQL, Plus and password reset; of a code only its SHA-256 is kept."""

from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from services.accounts.adapters.tables import password_resets, plus_codes


def add_plus_codes(connection: Connection, codes: Iterable[str], now: datetime) -> None:
    """Make canonical `codes` redeemable."""
    connection.execute(insert(plus_codes), [{"code_hash": _hash(code), "created_at": now} for code in codes])


def redeem(connection: Connection, code: str, account_id: UUID, now: datetime) -> bool | None:
    """Use up the canonical `code`: True when it worked, False when it was used before, None when unknown."""
    is_code = plus_codes.c.code_hash == _hash(code)
    statement = (
        update(plus_codes)
        .where(is_code, plus_codes.c.redeemed_at.is_(None))
        .values(redeemed_at=now, redeemed_by=account_id)
    )
    if connection.execute(statement).rowcount:
        return True
    return False if connection.execute(select(plus_codes.c.created_at).where(is_code)).first() else None


def offer_reset(
    connection: Connection, account_id: UUID, code: str, now: datetime, expires_at: datetime
) -> None:
    """Let `code` reset the account's password until `expires_at`, and no earlier code any more."""
    values = {"code_hash": _hash(code), "created_at": now, "expires_at": expires_at}
    statement = upsert(password_resets).values(account_id=account_id, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=["account_id"], set_=values))


def owner_of_reset(connection: Connection, code: str, now: datetime) -> UUID | None:
    """The account whose password `code` may reset now."""
    statement = select(password_resets.c.account_id).where(
        password_resets.c.code_hash == _hash(code), password_resets.c.expires_at > now
    )
    return connection.execute(statement).scalar_one_or_none()


def use_reset(connection: Connection, code: str, now: datetime) -> bool:
    """Use up a reset code; whether it was still good."""
    statement = delete(password_resets).where(
        password_resets.c.code_hash == _hash(code), password_resets.c.expires_at > now
    )
    return connection.execute(statement).rowcount == 1


def withdraw_resets(connection: Connection, account_id: UUID) -> None:
    """End the account's reset code, if there is one."""
    connection.execute(delete(password_resets).where(password_resets.c.account_id == account_id))


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
