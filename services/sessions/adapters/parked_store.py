"""Reads and writes what of branches was refused."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, delete, func, select, text, tuple_

from services.sessions.adapters import authors
from services.sessions.adapters.tables import parked
from services.sessions.domain.game import Game
from services.sessions.domain.log import By
from services.sessions.domain.parked import Parked
from services.sessions.domain.place import Place
from shared.storage.engine import dumps

# To go into a statement that says which game it is: `source` has its id.
PARK = """
    INSERT INTO parked (game_id, action_id, action, code, account_id, guest_id, device, at, parked_at)
    SELECT {source}.id, p.action_id, p.action, p.code, p.account_id, p.guest_id, p.device, p.at, p.parked_at
    FROM {source}, json_to_recordset(CAST(:parked AS json))
        AS p (action_id uuid, action json, code text, account_id uuid, guest_id uuid, device text,
            at timestamptz, parked_at timestamptz)
    ON CONFLICT DO NOTHING
"""
_AT_HEAD = """
    WITH head AS (
        SELECT id FROM games WHERE id = :id AND version = :was AND binned_at IS NULL FOR NO KEY UPDATE
    ), kept AS ({park})
    SELECT count(*) FROM head
"""
_HELD = "WITH held AS (SELECT CAST(:id AS uuid) AS id) {park}"
_PARK = text(_AT_HEAD.format(park=PARK.format(source="head")))
_KEEP = text(_HELD.format(park=PARK.format(source="held")))


def park(connection: Connection, game: Game, refused: Sequence[Parked]) -> bool:
    """Keep what was refused at the head of `game`; False, and nothing kept, when it has moved on already."""
    found = connection.execute(
        _PARK, {"id": game.id, "was": game.head.version, **parking(refused)}
    ).scalar_one()
    return bool(found)


def keep(connection: Connection, game_id: UUID, refused: Sequence[Parked]) -> None:
    """Keep what was refused of a branch, in the transaction that holds the game."""
    if refused:
        connection.execute(_KEEP, {"id": game_id, **parking(refused)})


def parking(refused: Sequence[Parked]) -> dict[str, str]:
    """The parameters of `PARK`."""
    rows = [
        {
            "action_id": it.action["id"],
            "action": it.action,
            "code": it.code,
            "account_id": it.by.account_id,
            "guest_id": it.by.guest_id,
            "device": it.by.device,
            "at": it.at,
            "parked_at": it.parked_at,
        }
        for it in refused
    ]
    return {"parked": dumps(rows)}


def kept(connection: Connection, game_id: UUID, action_ids: Iterable[str]) -> dict[str, Parked]:
    """Those of the actions that are kept, by id."""
    wanted = parked.c.action_id.in_([UUID(action_id) for action_id in action_ids])
    rows = connection.execute(select(parked).where(parked.c.game_id == game_id, wanted))
    return {str(row.action_id): _parked(row) for row in rows}


def count_beside(connection: Connection, game_id: UUID, action_ids: Collection[str]) -> int:
    """How many other actions are kept of the game."""
    is_other = parked.c.action_id.not_in([UUID(action_id) for action_id in action_ids])
    statement = select(func.count()).where(parked.c.game_id == game_id, is_other)
    return connection.execute(statement).scalar_one()


def listed(connection: Connection, game_id: UUID, after: Place | None, limit: int) -> list[Parked]:
    """At most `limit` of what is kept of the game, newest first, those that come after that place."""
    statement = select(*authors.with_device(parked)).where(parked.c.game_id == game_id)
    if after is not None:
        place = tuple_(parked.c.parked_at, parked.c.action_id)
        statement = statement.where(place < tuple_(after.moment, after.id))
    newest_first = statement.order_by(parked.c.parked_at.desc(), parked.c.action_id.desc()).limit(limit)
    return [_parked(row) for row in connection.execute(newest_first)]


def forget(connection: Connection, game_id: UUID, action_id: UUID) -> bool:
    """Delete what is kept of the action; False when nothing is."""
    deleted = connection.execute(
        delete(parked)
        .where(parked.c.game_id == game_id, parked.c.action_id == action_id)
        .returning(parked.c.action_id)
    ).one_or_none()
    return deleted is not None


def _parked(row: Row[Any]) -> Parked:
    return Parked(row.action, row.code, By(row.account_id, row.guest_id, row.device), row.at, row.parked_at)
