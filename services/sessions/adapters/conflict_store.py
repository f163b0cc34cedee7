"""Reads and writes the conflicts that branches open."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, case, func, insert, null, select, text, tuple_, update

from services.sessions.adapters import branch_store
from services.sessions.adapters.tables import branches, conflicts, games
from services.sessions.domain.branch import UNDECIDED, Conflict, Examined, Listed
from services.sessions.domain.log import By
from services.sessions.domain.place import Place

_WITH_BRANCH = (
    conflicts.c.id,
    games.c.account_id.label("owner_id"),
    conflicts.c.status,
    conflicts.c.cloud_version,
    conflicts.c.created_at,
    conflicts.c.updated_at,
    *branch_store.COLUMNS,
)
_LISTED = (
    conflicts.c.id,
    conflicts.c.game_id,
    conflicts.c.status,
    conflicts.c.base_version,
    conflicts.c.length,
    conflicts.c.cloud_version,
    conflicts.c.outline,
    conflicts.c.created_at,
    conflicts.c.updated_at,
)
_JOINED = conflicts.join(branches).join(games, games.c.id == branches.c.game_id)
# The lock is on the one that is taken: others take others meanwhile.
_TAKE = text(
    """
    UPDATE conflicts SET tried_at = greatest(tried_at, :now) WHERE id = (
        SELECT c.id FROM conflicts c JOIN games g ON g.id = c.game_id
        WHERE c.status = 'pending' AND c.tried_at < :before AND g.binned_at IS NULL
        ORDER BY c.tried_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED
    ) RETURNING id
    """
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which conflicts to list; `statuses` are as stored, `after` is where the page before ended."""

    statuses: Sequence[str] | None = None
    game_id: UUID | None = None
    after: Place | None = None


def open_conflict(connection: Connection, conflict: Conflict) -> None:
    """Store a new conflict, whose branch is stored already."""
    connection.execute(
        insert(conflicts).values(
            id=conflict.id,
            game_id=conflict.game_id,
            branch_id=conflict.branch.id,
            status=conflict.status,
            base_version=conflict.base_version,
            length=conflict.length,
            cloud_version=conflict.cloud_version,
            found=conflict.found,
            outline=conflict.outline,
            created_at=conflict.created_at,
            updated_at=conflict.updated_at,
            tried_at=conflict.updated_at,
        )
    )


def counts(connection: Connection, game_id: UUID) -> tuple[int, int]:
    """How many conflicts of the game are stored as undecided, and how many there are."""
    is_undecided = conflicts.c.status.in_(UNDECIDED)
    row = connection.execute(
        select(func.count().filter(is_undecided), func.count()).where(conflicts.c.game_id == game_id)
    ).one()
    return row[0], row[1]


def load(connection: Connection, owner_id: UUID | None, conflict_id: UUID) -> Conflict | None:
    """The conflict of the account, or of any (None)."""
    statement = (
        select(*_WITH_BRANCH, conflicts.c.found, conflicts.c.outline)
        .select_from(_JOINED)
        .where(conflicts.c.id == conflict_id)
    )
    if owner_id is not None:
        statement = statement.where(games.c.account_id == owner_id)
    row = connection.execute(statement).one_or_none()
    return None if row is None else _conflict(row)


def game_of(connection: Connection, conflict_id: UUID) -> UUID | None:
    """The game whose log the conflict is about."""
    statement = select(conflicts.c.game_id).where(conflicts.c.id == conflict_id)
    return connection.execute(statement).scalar_one_or_none()


def alike(connection: Connection, game_id: UUID, by: By, base_version: int, first_id: str) -> list[Conflict]:
    """The conflicts that this sender opened with branches that begin with that action, newest first.

    Without what was found about them.
    """
    statement = (
        select(*_WITH_BRANCH, null().label("found"), conflicts.c.outline)
        .select_from(_JOINED)
        .where(
            branches.c.game_id == game_id,
            branches.c.device == by.device,
            branches.c.account_id.is_not_distinct_from(by.account_id),
            branches.c.guest_id.is_not_distinct_from(by.guest_id),
            branches.c.base_version == base_version,
            branches.c.actions[(0, "id")].as_string() == first_id,
        )
    )
    newest_first = statement.order_by(conflicts.c.created_at.desc(), conflicts.c.id.desc())
    return [_conflict(row) for row in connection.execute(newest_first)]


def listed(connection: Connection, owner_id: UUID, wanted: Wanted, limit: int) -> list[Listed]:
    """At most `limit` conflicts of the account, newest first; a game in the bin shows its conflicts too."""
    statement = (
        select(*_LISTED)
        .select_from(conflicts.join(games, games.c.id == conflicts.c.game_id))
        .where(games.c.account_id == owner_id)
    )
    if wanted.statuses is not None:
        statement = statement.where(conflicts.c.status.in_(wanted.statuses))
    if wanted.game_id is not None:
        statement = statement.where(conflicts.c.game_id == wanted.game_id)
    if wanted.after is not None:
        place = tuple_(conflicts.c.created_at, conflicts.c.id)
        statement = statement.where(place < tuple_(wanted.after.moment, wanted.after.id))
    newest_first = statement.order_by(conflicts.c.created_at.desc(), conflicts.c.id.desc()).limit(limit)
    return [Listed(*row) for row in connection.execute(newest_first)]


def take_pending(connection: Connection, before: datetime, now: datetime) -> UUID | None:
    """Of the pending conflicts not tried since `before` the one that waits longest; it is tried `now`.

    Those of games in the bin wait there.
    """
    taken = connection.execute(_TAKE, {"before": before, "now": now}).scalar_one_or_none()
    return None if taken is None else UUID(str(taken))


def record_found(
    connection: Connection, conflict: Conflict, status: str, examined: Examined, now: datetime
) -> bool:
    """Store what was found; False, and nothing stored, when the branch has grown or others know later.

    Two workers at once find the same: then it stands as it was, and since when.
    """
    is_known = (conflicts.c.status == status) & (conflicts.c.cloud_version == examined.version)
    since = func.greatest(conflicts.c.updated_at, now)
    stored = connection.execute(
        update(conflicts)
        .where(
            conflicts.c.id == conflict.id,
            conflicts.c.length == conflict.length,
            conflicts.c.cloud_version <= examined.version,
        )
        .values(
            status=status,
            found=examined.found,
            outline=examined.outline,
            cloud_version=examined.version,
            updated_at=case((is_known & conflicts.c.found.is_not(None), conflicts.c.updated_at), else_=since),
        )
        .returning(conflicts.c.id)
    ).one_or_none()
    return stored is not None


def _conflict(row: Any) -> Conflict:
    return Conflict(
        row.id,
        row.owner_id,
        branch_store.branch(row),
        row.status,
        row.cloud_version,
        row.found,
        row.created_at,
        row.updated_at,
        row.outline,
    )
