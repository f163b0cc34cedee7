"""Looking at what was refused of branches, and putting it away."""

from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import invitation_store, parked_store
from services.sessions.domain.parked import Parked
from shared.web.problems import Problem


class Parking:
    """The use cases; `statements` is in autocommit mode."""

    def __init__(self, statements: Engine) -> None:
        self._engine = statements

    def listed(self, owner_id: UUID, game_id: UUID, before: UUID | None, limit: int) -> list[Parked]:
        """At most `limit` of what is parked, newest first, those after the action `before`.

        Raises `Problem` not_found where the account has no such game.
        """
        self._require(owner_id, game_id)
        with self._engine.connect() as connection:
            return parked_store.listed(connection, game_id, before, limit)

    def discard(self, owner_id: UUID, game_id: UUID, action_id: UUID) -> None:
        """Put a parked action away; away already is fine. Raises `Problem` as `listed` does."""
        self._require(owner_id, game_id)
        with self._engine.connect() as connection:
            parked_store.forget(connection, game_id, action_id)

    def _require(self, owner_id: UUID, game_id: UUID) -> None:
        with self._engine.connect() as connection:
            if invitation_store.version(connection, owner_id, game_id) is None:
                raise Problem("not_found")
