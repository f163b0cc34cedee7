"""Owns which games are to be counted anew: noted with whatever changes their figures, until they were."""

from collections.abc import Collection, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from services.sessions.adapters.figure_tables import results_due
from services.sessions.adapters.tables import games

# To go into a statement that says which game it is: `source` has its id.
NOTE = "INSERT INTO results_due (game_id) SELECT id FROM {source}"


def note(connection: Connection, which: ColumnElement[bool]) -> None:
    """Have the finished ones of those games counted anew, in the transaction that makes it necessary."""
    finished = func.json_typeof(games.c.result) == "object"
    connection.execute(
        insert(results_due).from_select(["game_id"], select(games.c.id).where(which, finished))
    )


def oldest(connection: Connection, limit: int, but: Collection[UUID] = ()) -> list[UUID]:
    """Games that are due `but` those, at most `limit`, the ones that have been for longest."""
    rows = select(results_due.c.game_id).order_by(results_due.c.id).limit(limit)
    if but:
        rows = rows.where(results_due.c.game_id.not_in(but))
    return list(dict.fromkeys(connection.execute(rows).scalars()))


def noted(connection: Connection, game_ids: Sequence[UUID]) -> dict[int, UUID]:
    """What is noted of these games: each note with its game."""
    rows = connection.execute(
        select(results_due.c.id, results_due.c.game_id).where(results_due.c.game_id.in_(game_ids))
    )
    return {row.id: row.game_id for row in rows}


def forget(connection: Connection, notes: Collection[int]) -> None:
    """Delete exactly these notes: what was noted since stays."""
    if notes:
        connection.execute(delete(results_due).where(results_due.c.id.in_(notes)))
