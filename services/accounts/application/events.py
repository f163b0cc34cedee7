"""What the other services hear of an account: ids and moments, never a name or an address."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection
from structlog.contextvars import get_contextvars

from services.accounts.adapters.tables import outbox
from shared.bus.outbox import Fact, append


def account_created(connection: Connection, account_id: UUID, now: datetime) -> None:
    """There is an account."""
    _record(connection, "accounts.account.created", account_id, now)


def account_deleted(connection: Connection, account_id: UUID, now: datetime) -> None:
    """The person is gone; all their tokens are."""
    _record(connection, "accounts.account.deleted", account_id, now)


def tokens_revoked(connection: Connection, account_id: UUID, before: datetime, now: datetime) -> None:
    """Access tokens with `iat` before `before` are denied."""
    _record(connection, "accounts.tokens.revoked", account_id, now, before=_written(before))


def sign_in_ended(connection: Connection, account_id: UUID, family_id: UUID, now: datetime) -> None:
    """Access tokens of this family are denied."""
    _record(connection, "accounts.sign_in.ended", account_id, now, family=str(family_id))


def plan_changed(
    connection: Connection, account_id: UUID, plan: str, changed_at: datetime, now: datetime
) -> None:
    """`plan` holds, whatever a token with `iat` before `changed_at` says."""
    data = {"plan": plan, "changed_at": _written(changed_at)}
    _record(connection, "accounts.plan.changed", account_id, now, **data)


def player_changed(connection: Connection, account_id: UUID, player_id: UUID, now: datetime) -> None:
    """What a saved player is called or stands for may have changed: ask again."""
    _record(connection, "accounts.player.changed", account_id, now, player_id=str(player_id))


def _record(connection: Connection, kind: str, account_id: UUID, now: datetime, **data: Any) -> None:
    fact = Fact(
        kind,
        str(account_id),
        {"account_id": str(account_id), **data},
        traceparent=get_contextvars().get("traceparent"),
        occurred_at=now,
    )
    append(connection, outbox, [fact])


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
