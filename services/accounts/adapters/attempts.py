"""How often something was tried, counted in PostgreSQL.

Not in Redis: so the count holds for all processes, survives a flush and needs no second answer for "the store
is away" - without PostgreSQL nobody signs in anyway. Addresses and e-mails are kept as a hash, and
forgotten when their window is over.
"""

from datetime import datetime, timedelta
from hashlib import sha256
from math import ceil

from sqlalchemy import Connection, case, delete, func, select
from sqlalchemy.dialects.postgresql import insert as upsert

from services.accounts.adapters.tables import attempts
from services.accounts.domain.limits import Limit


def wait_s(connection: Connection, limit: Limit, subject: str, now: datetime) -> int:
    """Seconds until `subject` may try again; 0 when it may now."""
    statement = select(attempts.c.times, attempts.c.expires_at).where(
        attempts.c.kind == limit.kind,
        attempts.c.subject_hash == _hash(subject),
        attempts.c.expires_at > now,
    )
    row = connection.execute(statement).one_or_none()
    if row is None or row.times < limit.times:
        return 0
    left: timedelta = row.expires_at - now
    return ceil(left.total_seconds())


def count(connection: Connection, limit: Limit, subject: str, now: datetime) -> int:
    """Count one attempt of `subject`; how many there were in this window with it."""
    fresh = {"times": 1, "expires_at": now + timedelta(seconds=limit.window_s)}
    is_over = attempts.c.expires_at <= now
    statement = upsert(attempts).values(kind=limit.kind, subject_hash=_hash(subject), **fresh)
    statement = statement.on_conflict_do_update(
        index_elements=["kind", "subject_hash"],
        set_={
            "times": case((is_over, 1), else_=func.least(attempts.c.times, limit.times) + 1),
            "expires_at": case((is_over, statement.excluded.expires_at), else_=attempts.c.expires_at),
        },
    )
    times: int = connection.execute(statement.returning(attempts.c.times)).scalar_one()
    return times


def clear(connection: Connection, limit: Limit, subject: str) -> None:
    """Forget what `subject` tried."""
    connection.execute(
        delete(attempts).where(attempts.c.kind == limit.kind, attempts.c.subject_hash == _hash(subject))
    )


def forget(connection: Connection, now: datetime) -> None:
    """Delete windows that are over, passing by those that somebody has in hand."""
    over = (
        select(attempts.c.kind, attempts.c.subject_hash)
        .where(attempts.c.expires_at <= now)
        .with_for_update(skip_locked=True)
        .cte("over")
    )
    connection.execute(
        delete(attempts).where(attempts.c.kind == over.c.kind, attempts.c.subject_hash == over.c.subject_hash)
    )


def _hash(subject: str) -> bytes:
    return sha256(subject.encode()).digest()
