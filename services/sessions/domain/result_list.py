"""The list of finished games, newest first: which of them are wanted."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from services.sessions.domain.place import Place


@dataclass(frozen=True, slots=True)
class Which:
    """Which results are wanted: those of `owner_id`, or of all accounts, each game once (None).

    Days are whole ones in UTC, the last one included. What is None does not narrow.
    """

    owner_id: UUID | None
    since: date | None = None
    until: date | None = None
    players: int | None = None
    difficulty: str | None = None
    reduced_hand: bool | None = None
    player_id: UUID | None = None
    after: Place | None = None
