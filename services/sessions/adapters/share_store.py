"""Reads and writes which games are shared with which accounts."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, delete, exists, func, or_, select, text
from sqlalchemy.dialects.postgresql import insert

from services.sessions.adapters.tables import games, shares
from services.sessions.domain.invitation import Having, Share

# Every request of an account about a game that is not known to be its own asks this.
_HAVING = text(
    """
    SELECT game.account_id AS owner_id, game.version, game.binned_at IS NOT NULL AS is_binned,
        s.role, s.invitation_id, s.granted_at
    FROM games game LEFT JOIN shares s ON s.game_id = game.id AND s.account_id = :account_id
    WHERE game.id = :game_id
    """
)


def having(connection: Connection, game_id: UUID, account_id: UUID) -> Having | None:
    """Whose the game is, and how the account has it if it is shared with it; None where there is none."""
    row = connection.execute(_HAVING, {"game_id": game_id, "account_id": account_id}).one_or_none()
    if row is None:
        return None
    share = None
    if row.role is not None:
        share = Share(game_id, account_id, row.role, row.invitation_id, row.granted_at)
    return Having(row.owner_id, row.version, row.is_binned, share)


def of_game(game_id: ColumnElement[UUID]) -> ColumnElement[bool]:
    """Whether the game is shared with any account."""
    return exists().where(shares.c.game_id == game_id)


def put(connection: Connection, share: Share) -> None:
    """Share the game with the account, instead of as it is shared already: it has had it since then."""
    role = {"role": share.role, "invitation_id": share.invitation_id, "granted_at": share.granted_at}
    row = insert(shares).values(
        game_id=share.game_id,
        account_id=share.account_id,
        joined_at=share.granted_at,
        created_at=select(games.c.created_at).where(games.c.id == share.game_id).scalar_subquery(),
        **role,
    )
    connection.execute(row.on_conflict_do_update(index_elements=["game_id", "account_id"], set_=role))


def remove(connection: Connection, game_id: UUID, account_id: UUID) -> datetime | None:
    """Share the game with the account no longer; returns since when it was like that, if it was."""
    one = (shares.c.game_id == game_id) & (shares.c.account_id == account_id)
    gone = delete(shares).where(one).returning(shares.c.granted_at)
    return connection.execute(gone).scalar_one_or_none()


def remove_invited(connection: Connection, invitation_id: UUID) -> bool:
    """Share a game no longer with those who accepted this invitation; False where nobody did."""
    gone = delete(shares).where(shares.c.invitation_id == invitation_id).returning(shares.c.game_id)
    return bool(connection.execute(gone).all())


def hold_all(connection: Connection, account_id: UUID) -> Sequence[UUID]:
    """Lock every game that the account has, its own and those shared with it, until the transaction ends."""
    shared = select(shares.c.game_id).where(shares.c.account_id == account_id)
    either = or_(games.c.account_id == account_id, games.c.id.in_(shared))
    held = select(games.c.id).where(either).order_by(games.c.id).with_for_update(key_share=True)
    return connection.execute(held).scalars().all()


def remove_account(connection: Connection, account_id: UUID) -> None:
    """Share no game with the account any longer."""
    connection.execute(delete(shares).where(shares.c.account_id == account_id))


def is_shared(connection: Connection, game_id: UUID) -> bool:
    """Whether the game is shared with any account."""
    count = select(func.count()).where(shares.c.game_id == game_id)
    return bool(connection.execute(count).scalar_one())
