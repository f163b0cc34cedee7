"""Reads what the log says about conflicts."""

from uuid import UUID

from sqlalchemy import Connection, select

from services.sessions.adapters import log_store
from services.sessions.adapters.tables import entries
from services.sessions.domain.resolutions import RESOLVE, Resolution, standing


def resolutions(connection: Connection, game_id: UUID) -> list[Resolution]:
    """The entries of the game's log that resolve conflicts, in order."""
    rows = connection.execute(
        select(entries.c.seq, entries.c.action)
        .where(entries.c.game_id == game_id, entries.c.action["type"].as_string() == RESOLVE)
        .order_by(entries.c.seq)
    ).all()
    if not rows:
        return []
    stand = standing(log_store.log_marks(connection, game_id))
    return [Resolution(seq, action, seq in stand) for seq, action in rows]
