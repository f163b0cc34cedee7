"""Correcting a game as a whole, in one entry: taking what the table shows, going back to a moment before."""

from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import invitation_store
from services.sessions.application.play import Answer, Play, Sender, Sent
from shared.storage.ids import new_id
from shared.web.problems import Problem, invalid


class Corrections:
    """The use cases; `reader` is in autocommit mode. Both raise `Problem` as `Play.record` does."""

    def __init__(self, reader: Engine, play: Play) -> None:
        self._reader = reader
        self._play = play

    def adopt(
        self,
        sender: Sender,
        game_id: UUID,
        table: dict[str, Any],
        expected_version: int,
        action_id: UUID | None = None,
    ) -> Answer:
        """Go on from what the `table` shows; the same `action_id` and table again are a duplicate."""
        action = {"id": str(action_id or new_id()), "type": "adopt", "table": table}
        return self._play.record(sender, game_id, [Sent(action)], expected_version)

    def rewind(
        self,
        sender: Sender,
        game_id: UUID,
        to_version: int,
        expected_version: int,
        action_id: UUID | None = None,
    ) -> Answer:
        """Go on from the game as it was at `to_version`; the same again is a duplicate, as with `adopt`.

        Raises `Problem` validation_failed besides, for a version that there is not yet.
        """
        with self._reader.connect() as connection:
            version = invitation_store.version(connection, sender.owner_id, game_id)
        if version is None:
            raise Problem("not_found")
        if to_version > version:
            invalid("to_version", f"The game is at version {version}.")
        action = {"id": str(action_id or new_id()), "type": "rewind", "to_version": to_version}
        return self._play.record(sender, game_id, [Sent(action)], expected_version)
