"""What was refused of branches: how much of it is kept, looking at it, putting it away."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import invitation_store, parked_store
from services.sessions.domain.parked import Parked
from services.sessions.domain.place import Place
from shared.web.problems import Problem

LIMIT = 2_000


def make_room(connection: Connection, game_id: UUID, refused: Sequence[Parked]) -> None:
    """Hold the game, until the transaction ends, as one where there is room for what was `refused`.

    Raises `Problem`: not_found, too_many_parked.
    """
    if not refused:
        return
    if invitation_store.hold(connection, game_id) is None:
        raise Problem("not_found")
    others = parked_store.count_beside(connection, game_id, [it.action["id"] for it in refused])
    if others + len(refused) > LIMIT:
        raise Problem("too_many_parked")


class Parking:
    """The use cases; `statements` is in autocommit mode."""

    def __init__(self, statements: Engine) -> None:
        self._engine = statements

    def listed(self, owner_id: UUID, game_id: UUID, after: Place | None, limit: int) -> list[Parked]:
        """At most `limit` of what is parked, newest first, those after that place in the list.

        Raises `Problem` not_found where the account has no such game.
        """
        self._require(owner_id, game_id)
        with self._engine.connect() as connection:
            return parked_store.listed(connection, game_id, after, limit)

    def discard(self, owner_id: UUID, game_id: UUID, action_id: UUID) -> None:
        """Put a parked action away; away already is fine. Raises `Problem` as `listed` does."""
        self._require(owner_id, game_id)
        with self._engine.connect() as connection:
            parked_store.forget(connection, game_id, action_id)

    def _require(self, owner_id: UUID, game_id: UUID) -> None:
        with self._engine.connect() as connection:
            if invitation_store.version(connection, owner_id, game_id) is None:
                raise Problem("not_found")
