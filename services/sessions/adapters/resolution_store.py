"""Reads what logs say about conflicts."""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import Connection, text

from services.sessions.adapters import log_store
from services.sessions.domain.resolutions import Resolution, standing

# The words of the index's own condition; the story that an entry tells is left where it is.
_RESOLVING = text(
    """
    SELECT game_id, seq, CAST(CAST(action AS jsonb) - 'actions' AS json)
    FROM entries WHERE game_id = ANY(:game_ids) AND action ->> 'type' = 'resolve' ORDER BY seq
    """
)
_SIZE = text(
    """
    SELECT coalesce(sum(octet_length(CAST(action AS text))), 0)
    FROM entries WHERE game_id = :game_id AND action ->> 'type' = 'resolve'
    """
)


def resolutions(connection: Connection, game_id: UUID) -> list[Resolution]:
    """The entries of the game's log that resolve conflicts, in order, without their stories."""
    return resolutions_of(connection, [game_id]).get(game_id, [])


def resolutions_of(connection: Connection, game_ids: Collection[UUID]) -> Mapping[UUID, list[Resolution]]:
    """The same for several games at once, by game; those without any are left out."""
    if not game_ids:
        return {}
    rows = connection.execute(_RESOLVING, {"game_ids": list(game_ids)}).all()
    if not rows:
        return {}
    marks = log_store.marks_of(connection, {game_id for game_id, _, _ in rows})
    stand = {game_id: standing(log) for game_id, log in marks.items()}
    found: dict[UUID, list[Resolution]] = {}
    for game_id, seq, action in rows:
        found.setdefault(game_id, []).append(Resolution(seq, action, seq in stand[game_id]))
    return found


def size(connection: Connection, game_id: UUID) -> int:
    """How many bytes the entries take that resolve conflicts of the game."""
    return int(connection.execute(_SIZE, {"game_id": game_id}).scalar_one())
