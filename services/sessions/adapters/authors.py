"""What may still be told of those who entered something, once accounts are deleted."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, Table, case, exists, func, null, select

from services.sessions.adapters.tables import games, people


def device(written: Table) -> ColumnElement[str | None]:
    """What the author of a row of `written` calls the device, unless that is to be forgotten.

    It is once the author's account is deleted, and of a guest, whom nobody knows, with that of the owner.
    """
    game = games.alias("theirs")
    owner = select(game.c.account_id).where(game.c.id == written.c.game_id).correlate(written)
    author = func.coalesce(written.c.account_id, owner.scalar_subquery())
    is_gone = (
        exists().where(people.c.account_id == author, people.c.deleted_at.is_not(None)).correlate(written)
    )
    return case((is_gone, null()), else_=written.c.device).label("device")


def with_device(written: Table) -> list[ColumnElement[Any]]:
    """All columns of `written`, with `device` as it may be told."""
    return [device(written) if column is written.c.device else column for column in written.c]


def is_deleted(connection: Connection, account_id: UUID) -> bool:
    """Whether the account is known to be deleted."""
    return bool(deleted(connection, [account_id]))


def deleted(connection: Connection, account_ids: Collection[UUID]) -> set[UUID]:
    """Those of the accounts that are known to be deleted."""
    known = select(people.c.account_id).where(
        people.c.account_id.in_(account_ids), people.c.deleted_at.is_not(None)
    )
    return set(connection.execute(known).scalars())
