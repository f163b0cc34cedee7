"""Reads and writes invitations and who came by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Row, func, insert, literal, select, text, update

from services.sessions.adapters import authors
from services.sessions.adapters.tables import games, guests, invitations, shares
from services.sessions.domain.invitation import Guest, Invitation

# Every request of a guest asks this: it has the invitation and the game as they are at this moment.
_GUEST = text(
    """
    SELECT i.id, i.game_id, i.role, i.created_at, i.expires_at, i.revoked_at,
        g.id AS guest_id, g.created_at AS joined_at, game.account_id AS owner_id, game.version,
        game.binned_at IS NULL AND p.deleted_at IS NULL AS is_game_open
    FROM guests g
    JOIN invitations i ON i.id = g.invitation_id
    JOIN games game ON game.id = i.game_id
    LEFT JOIN people p ON p.account_id = game.account_id
    WHERE g.token_hash = :token_hash
    """
)


@dataclass(frozen=True, slots=True)
class Held:
    """A game that nobody else invites to, joins or purges until the transaction ends."""

    owner_id: UUID
    is_binned: bool
    is_orphaned: bool


def version(connection: Connection, account_id: UUID, game_id: UUID) -> int | None:
    """The version of the account's game; None where it has no such game."""
    return connection.execute(
        select(games.c.version).where(games.c.id == game_id, games.c.account_id == account_id)
    ).scalar_one_or_none()


def hold(connection: Connection, game_id: UUID) -> Held | None:
    """Lock the game, so that what is counted of it stays true; None where there is none any more."""
    row = connection.execute(
        select(games.c.account_id, games.c.binned_at)
        .where(games.c.id == game_id)
        .with_for_update(key_share=True)
    ).one_or_none()
    if row is None:
        return None
    # Only now that it is held: the deletion of the owner holds it too.
    is_orphaned = authors.is_deleted(connection, row.account_id)
    return Held(row.account_id, row.binned_at is not None, is_orphaned)


def counts(connection: Connection, game_id: UUID, now: datetime) -> tuple[int, int]:
    """How many invitations to the game are in force at `now`, and how many there ever were."""
    in_force = (invitations.c.revoked_at.is_(None)) & (invitations.c.expires_at > now)
    row = connection.execute(
        select(func.count().filter(in_force), func.count()).where(invitations.c.game_id == game_id)
    ).one()
    return row[0], row[1]


def add(connection: Connection, invitation: Invitation, code_hash: bytes) -> None:
    """Store a new invitation."""
    connection.execute(
        insert(invitations).values(
            id=invitation.id,
            game_id=invitation.game_id,
            role=invitation.role,
            code_hash=code_hash,
            created_at=invitation.created_at,
            expires_at=invitation.expires_at,
        )
    )


def by_code(connection: Connection, code_hash: bytes) -> Invitation | None:
    """The invitation with this code."""
    row = connection.execute(select(invitations).where(invitations.c.code_hash == code_hash)).one_or_none()
    return None if row is None else _invitation(row)


def listed(
    connection: Connection, game_id: UUID, before: UUID | None, limit: int
) -> Sequence[tuple[Invitation, int]]:
    """At most `limit` invitations to the game, newest first, after `before`; each with how many came."""
    statement = select(invitations, _came(invitations.c.id).label("came")).where(
        invitations.c.game_id == game_id
    )
    if before is not None:
        last = invitations.alias("last")
        earlier = text("(invitations.created_at, invitations.id) < (last.created_at, last.id)")
        statement = statement.join(last, earlier).where(last.c.id == before, last.c.game_id == game_id)
    newest_first = statement.order_by(invitations.c.created_at.desc(), invitations.c.id.desc()).limit(limit)
    return [(_invitation(row), row.came) for row in connection.execute(newest_first)]


def revoke(connection: Connection, game_id: UUID, invitation_id: UUID, now: datetime) -> bool | None:
    """End an invitation to the game; False when it was revoked before, None where there is no such one."""
    one = (invitations.c.id == invitation_id) & (invitations.c.game_id == game_id)
    revoked = connection.execute(
        update(invitations)
        .where(one, invitations.c.revoked_at.is_(None))
        .values(revoked_at=now)
        .returning(invitations.c.id)
    ).one_or_none()
    if revoked is not None:
        return True
    found = connection.execute(select(invitations.c.id).where(one)).one_or_none()
    return None if found is None else False


def accepted_count(connection: Connection, invitation_id: UUID) -> int:
    """How many came by the invitation: guests, and accounts that it shares the game with."""
    return connection.execute(select(_came(literal(invitation_id)))).scalar_one()


def add_guest(
    connection: Connection, guest_id: UUID, invitation: Invitation, token_hash: bytes, now: datetime
) -> None:
    """Store who came by the invitation."""
    connection.execute(
        insert(guests).values(
            id=guest_id,
            game_id=invitation.game_id,
            invitation_id=invitation.id,
            token_hash=token_hash,
            created_at=now,
        )
    )


def by_token(connection: Connection, token_hash: bytes) -> Guest | None:
    """The guest with this token, whether it still counts or not."""
    row = connection.execute(_GUEST, {"token_hash": token_hash}).one_or_none()
    if row is None:
        return None
    return Guest(row.guest_id, _invitation(row), row.joined_at, row.owner_id, row.version, row.is_game_open)


def _came(invitation_id: ColumnElement[UUID]) -> ColumnElement[int]:
    each = [
        select(func.count()).where(table.c.invitation_id == invitation_id).correlate(invitations)
        for table in (guests, shares)
    ]
    return each[0].scalar_subquery() + each[1].scalar_subquery()


def _invitation(row: Row[Any]) -> Invitation:
    return Invitation(row.id, row.game_id, row.role, row.created_at, row.expires_at, row.revoked_at)
