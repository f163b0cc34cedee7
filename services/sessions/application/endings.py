"""The news that a right to see a game has ended, and that a game has nobody any more who owns it."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from shared.bus.outbox import Fact

Kind = Literal["account", "sign_in", "tokens", "invitation"]


def access_ended(
    kind: Kind, ended: UUID, now: datetime, *, before: datetime | None = None, traceparent: str | None = None
) -> Fact:
    """The account, sign-in or invitation `ended` is over; or an account's tokens issued before `before` are.

    Belongs into the transaction that makes it so.
    """
    data = {"kind": kind, "id": str(ended)}
    if before is not None:
        data["before"] = before.isoformat()
    return Fact("sessions.access.ended", str(ended), data, traceparent, occurred_at=now)


def share_ended(game_id: UUID, account_id: UUID, now: datetime, traceparent: str | None = None) -> Fact:
    """The game is not shared with the account any longer as it was before `now`, be it as something else.

    Belongs into the transaction that makes it so.
    """
    data = {"kind": "share", "id": str(account_id), "game_id": str(game_id), "before": now.isoformat()}
    return Fact("sessions.access.ended", str(game_id), data, traceparent, occurred_at=now)


def orphaned(owner_id: UUID, now: datetime, traceparent: str | None = None) -> Fact:
    """Games of the deleted account `owner_id` may have nobody left: they are to be purged."""
    data = {"account_id": str(owner_id)}
    return Fact("sessions.games.orphaned", str(owner_id), data, traceparent, occurred_at=now)
