"""Reads and writes branches, and what makes a conflict of one grow."""

from collections.abc import Collection, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, func, insert, text, update

from services.sessions.adapters import authors
from services.sessions.adapters.tables import branches, conflicts
from services.sessions.domain.branch import PENDING, Branch
from services.sessions.domain.log import By
from shared.storage.engine import dumps

# What a branch is read by; `branch` has the row.
COLUMNS = (
    branches.c.id.label("branch_id"),
    branches.c.game_id,
    branches.c.account_id,
    branches.c.guest_id,
    authors.device(branches),
    branches.c.base_version,
    branches.c.actions,
    branches.c.outcomes,
    branches.c.received_at,
    branches.c.newest_at,
)
_SENT = text(
    """
    SELECT sent.action ->> 'id' AS id, sent.action ->> 'at' AS at, b.account_id, b.guest_id, b.device
    FROM branches b, json_array_elements(b.actions) AS sent (action)
    WHERE b.game_id = :game_id AND sent.action ->> 'id' = ANY(:ids)
    ORDER BY b.received_at
    """
)


def add_branch(connection: Connection, branch: Branch) -> None:
    """Store a new branch; raises `IntegrityError` when its device has sent the very same before."""
    connection.execute(
        insert(branches).values(
            id=branch.id,
            game_id=branch.game_id,
            account_id=branch.by.account_id,
            guest_id=branch.by.guest_id,
            device=branch.by.device,
            base_version=branch.base_version,
            received_at=branch.received_at,
            **_contents(branch),
        )
    )


def extend_branch(connection: Connection, branch: Branch, outline: dict[str, Any], now: datetime) -> None:
    """Store what a branch has become; its conflict is pending again, since `now`, as nobody has looked yet.

    The conflict's `length` is in the row that its readers lock: none stores what it found of less.
    """
    connection.execute(update(branches).where(branches.c.id == branch.id).values(**_contents(branch)))
    connection.execute(
        update(conflicts)
        .where(conflicts.c.branch_id == branch.id)
        .values(
            status=PENDING,
            length=len(branch.actions),
            found=None,
            outline=outline,
            updated_at=func.greatest(conflicts.c.updated_at, now),
            tried_at=now,
        )
    )


def senders(
    connection: Connection, game_id: UUID, action_ids: Collection[str]
) -> dict[str, tuple[By, datetime | None]]:
    """Who sent the actions in branches of the game, and when by their clock; the last one who did."""
    rows = connection.execute(_SENT, {"game_id": game_id, "ids": list(action_ids)})
    return {
        row.id: (By(row.account_id, row.guest_id, row.device), row.at and datetime.fromisoformat(row.at))
        for row in rows
    }


def branch(row: Row[Any]) -> Branch:
    """The branch in a row with `COLUMNS`."""
    ats = [action.pop("at", None) for action in row.actions]
    return Branch(
        row.branch_id,
        row.game_id,
        By(row.account_id, row.guest_id, row.device),
        row.base_version,
        row.actions,
        [at and datetime.fromisoformat(at) for at in ats],
        row.outcomes,
        row.received_at,
        row.newest_at,
    )


def _contents(branch: Branch) -> dict[str, Any]:
    """The columns that move when a branch grows."""
    both: Sequence[tuple[dict[str, Any], datetime | None]] = list(
        zip(branch.actions, branch.ats, strict=True)
    )
    return {
        "actions": [action if at is None else {**action, "at": at} for action, at in both],
        "outcomes": branch.outcomes,
        "digest": sha256(dumps([branch.base_version, branch.actions]).encode()).digest(),
        "newest_at": branch.newest_at,
    }
