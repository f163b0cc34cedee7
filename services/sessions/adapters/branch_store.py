"""Reads and writes branches and the conflicts they open."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, func, insert, select, text, update

from services.sessions.adapters.tables import branches, conflicts, games
from services.sessions.domain.branch import PENDING, Branch, Conflict
from services.sessions.domain.log import By
from shared.storage.engine import dumps

_BRANCH = (
    branches.c.id.label("branch_id"),
    branches.c.game_id,
    branches.c.account_id,
    branches.c.guest_id,
    branches.c.device,
    branches.c.base_version,
    branches.c.actions,
    branches.c.outcomes,
    branches.c.received_at,
    branches.c.newest_at,
)
_CONFLICT = (
    conflicts.c.id,
    games.c.account_id.label("owner_id"),
    conflicts.c.status,
    conflicts.c.cloud_version,
    conflicts.c.found,
    conflicts.c.created_at,
    conflicts.c.updated_at,
    *_BRANCH,
)
_ALL = select(*_CONFLICT).select_from(conflicts.join(branches).join(games, games.c.id == branches.c.game_id))


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


def extend_branch(connection: Connection, branch: Branch, now: datetime) -> None:
    """Store what a branch has become; its conflict is pending again, since `now`."""
    connection.execute(update(branches).where(branches.c.id == branch.id).values(**_contents(branch)))
    connection.execute(
        update(conflicts)
        .where(conflicts.c.branch_id == branch.id)
        .values(status=PENDING, updated_at=func.greatest(conflicts.c.updated_at, now))
    )


def load_branch(connection: Connection, branch_id: UUID) -> Branch | None:
    """The branch with this id, whosever it is."""
    row = connection.execute(select(*_BRANCH).where(branches.c.id == branch_id)).one_or_none()
    return None if row is None else _branch(row)


def branches_of(connection: Connection, game_id: UUID) -> list[Branch]:
    """The branches that devices sent of a game, oldest first."""
    of_game = select(*_BRANCH).where(branches.c.game_id == game_id)
    return [_branch(row) for row in connection.execute(of_game.order_by(branches.c.received_at))]


def open_conflict(connection: Connection, conflict: Conflict) -> None:
    """Store a new conflict, whose branch is stored already."""
    connection.execute(
        insert(conflicts).values(
            id=conflict.id,
            game_id=conflict.game_id,
            branch_id=conflict.branch.id,
            status=conflict.status,
            base_version=conflict.branch.base_version,
            cloud_version=conflict.cloud_version,
            found=conflict.found,
            created_at=conflict.created_at,
            updated_at=conflict.updated_at,
        )
    )


def load_conflict(
    connection: Connection, owner_id: UUID | None, conflict_id: UUID, *, to_change: bool = False
) -> Conflict | None:
    """The conflict of the account, or of any (None); with `to_change` nobody else changes it meanwhile."""
    statement = _ALL.where(conflicts.c.id == conflict_id)
    if owner_id is not None:
        statement = statement.where(games.c.account_id == owner_id)
    if to_change:
        statement = statement.with_for_update(of=conflicts, key_share=True)
    row = connection.execute(statement).one_or_none()
    return None if row is None else _conflict(row)


def game_of(connection: Connection, conflict_id: UUID) -> UUID | None:
    """The game whose log the conflict is about."""
    statement = select(conflicts.c.game_id).where(conflicts.c.id == conflict_id)
    return connection.execute(statement).scalar_one_or_none()


def conflicts_of(connection: Connection, game_id: UUID, device: str, base_version: int) -> list[Conflict]:
    """The conflicts that the device opened with branches from this version on, newest first."""
    statement = _ALL.where(
        branches.c.game_id == game_id, branches.c.device == device, branches.c.base_version == base_version
    )
    newest_first = statement.order_by(conflicts.c.created_at.desc(), conflicts.c.id.desc())
    return [_conflict(row) for row in connection.execute(newest_first)]


def listed_conflicts(
    connection: Connection,
    owner_id: UUID,
    *,
    statuses: Sequence[str] | None = None,
    game_id: UUID | None = None,
    before: UUID | None = None,
    limit: int,
) -> list[Conflict]:
    """At most `limit` conflicts of the account, newest first, those that come after the conflict `before`.

    `statuses` are as stored. A game in the bin shows its conflicts too.
    """
    statement = _ALL.where(games.c.account_id == owner_id)
    if statuses is not None:
        statement = statement.where(conflicts.c.status.in_(statuses))
    if game_id is not None:
        statement = statement.where(conflicts.c.game_id == game_id)
    if before is not None:
        last = conflicts.alias("last")
        whose = games.alias("whose")
        earlier = text("(conflicts.created_at, conflicts.id) < (last.created_at, last.id)")
        statement = (
            statement.join(last, earlier)
            .join(whose, whose.c.id == last.c.game_id)
            .where(last.c.id == before, whose.c.account_id == owner_id)
        )
    newest_first = statement.order_by(conflicts.c.created_at.desc(), conflicts.c.id.desc()).limit(limit)
    return [_conflict(row) for row in connection.execute(newest_first)]


def pending_conflicts(connection: Connection, older_than: datetime, limit: int) -> list[UUID]:
    """At most `limit` conflicts that have been pending since before `older_than`, the oldest first.

    Those of games in the bin wait there.
    """
    return list(
        connection.execute(
            select(conflicts.c.id)
            .join(games, games.c.id == conflicts.c.game_id)
            .where(
                conflicts.c.status == PENDING,
                conflicts.c.updated_at < older_than,
                games.c.binned_at.is_(None),
            )
            .order_by(conflicts.c.updated_at)
            .limit(limit)
        ).scalars()
    )


def record_found(
    connection: Connection,
    conflict: Conflict,
    status: str,
    found: dict[str, Any] | None,
    cloud_version: int,
    now: datetime,
) -> bool:
    """Store what was found about `conflict`; False, and nothing stored, when its branch has grown."""
    length = (
        select(func.json_array_length(branches.c.actions)).where(branches.c.id == conflict.branch.id)
    ).scalar_subquery()
    stored = connection.execute(
        update(conflicts)
        .where(conflicts.c.id == conflict.id, length == len(conflict.branch.actions))
        .values(
            status=status,
            found=found,
            cloud_version=cloud_version,
            updated_at=func.greatest(conflicts.c.updated_at, now),
        )
        .returning(conflicts.c.id)
    ).one_or_none()
    return stored is not None


def _contents(branch: Branch) -> dict[str, Any]:
    """The columns that move when a branch grows."""
    both = zip(branch.actions, branch.ats, strict=True)
    return {
        "actions": [action if at is None else {**action, "at": at} for action, at in both],
        "outcomes": branch.outcomes,
        "digest": sha256(dumps([branch.base_version, branch.actions]).encode()).digest(),
        "newest_at": branch.newest_at,
    }


def _branch(row: Any) -> Branch:
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


def _conflict(row: Any) -> Conflict:
    return Conflict(
        row.id,
        row.owner_id,
        _branch(row),
        row.status,
        row.cloud_version,
        row.found,
        row.created_at,
        row.updated_at,
    )
