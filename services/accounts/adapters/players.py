"""Saved players in PostgreSQL. The caller holds the account for anything that changes one."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, Select, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert

from services.accounts.adapters.tables import players
from services.accounts.domain.pages import Filter, Place
from services.accounts.domain.players import Player


def find(connection: Connection, account_id: UUID, player_id: UUID) -> Player | None:
    """The player, when it is this account's."""
    row = connection.execute(_of(account_id).where(players.c.id == player_id)).one_or_none()
    return None if row is None else _player(row)


def find_many(connection: Connection, account_id: UUID, player_ids: Iterable[UUID]) -> dict[UUID, Player]:
    """Those of `player_ids` that are this account's, by id."""
    rows = connection.execute(_of(account_id).where(players.c.id.in_(list(player_ids))))
    return {row.id: _player(row) for row in rows}


def add(connection: Connection, account_id: UUID, player: Player, created_as: dict[str, Any]) -> bool:
    """Insert `player`; False when its id is in use, by whomever."""
    statement = upsert(players).values(
        id=player.id,
        account_id=account_id,
        name=player.name,
        colour=player.colour,
        archived=player.archived,
        parent=player.parent,
        created_as=created_as,
        created_at=player.created_at,
        updated_at=player.updated_at,
    )
    statement = statement.on_conflict_do_nothing(index_elements=["id"])
    return connection.execute(statement.returning(players.c.id)).one_or_none() is not None


def count(connection: Connection, account_id: UUID) -> int:
    """How many players the account has, archived and merged ones too."""
    statement = select(func.count()).select_from(players).where(players.c.account_id == account_id)
    found: int = connection.execute(statement).scalar_one()
    return found


def created_as(connection: Connection, account_id: UUID, player_id: UUID) -> dict[str, Any] | None:
    """What the account asked for when it made this player; None when it did not."""
    statement = select(players.c.created_as).where(
        players.c.id == player_id, players.c.account_id == account_id
    )
    return connection.execute(statement).scalar_one_or_none()


def change(connection: Connection, player_id: UUID, **values: Any) -> None:
    """Set columns of a player."""
    connection.execute(update(players).where(players.c.id == player_id).values(values))


def page(
    connection: Connection, account_id: UUID, only: Filter, after: Place | None, limit: int
) -> list[Player]:
    """The next `limit` players in the order they were made, behind `after`."""
    statement = _of(account_id).order_by(players.c.created_at, players.c.id).limit(limit)
    if only.archived is not None:
        statement = statement.where(players.c.archived.is_(only.archived))
    if only.merged is not None:
        is_root = players.c.parent.is_(None)
        statement = statement.where(~is_root if only.merged else is_root)
    if after is not None:
        statement = statement.where(
            tuple_(players.c.created_at, players.c.id) > tuple_(after.created_at, after.id)
        )
    return [_player(row) for row in connection.execute(statement)]


def everything(connection: Connection, account_id: UUID) -> list[Player]:
    """All players of the account, archived and merged ones too."""
    statement = _of(account_id).order_by(players.c.created_at, players.c.id)
    return [_player(row) for row in connection.execute(statement)]


def parents(connection: Connection, account_id: UUID) -> dict[UUID, UUID]:
    """Of each merged player of the account, the one it was merged into."""
    statement = select(players.c.id, players.c.parent).where(
        players.c.account_id == account_id, players.c.parent.is_not(None)
    )
    return {row.id: row.parent for row in connection.execute(statement)}


def _of(account_id: UUID) -> Select[Any]:
    columns = (getattr(players.c, name) for name in Player.__dataclass_fields__)
    return select(*columns).where(players.c.account_id == account_id)


def _player(row: Row[Any]) -> Player:
    return Player(**row._mapping)
