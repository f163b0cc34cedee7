"""The news that a right to see a game has ended, for whoever keeps a stream open on it."""

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
