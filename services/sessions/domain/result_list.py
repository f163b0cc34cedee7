"""The list of finished games, newest first: which of them are wanted, and the place of each in it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Self
from uuid import UUID

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOMENT_BYTES, _ID_BYTES = 8, 16


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game stands: by the moment of its result, among those of one moment by its id.

    In the list of all accounts a hash of 16 bytes is what stands for the id.
    """

    confirmed_at: datetime
    game_id: UUID

    def cursor(self) -> str:
        """32 characters of base64url; the first is `A`, so that no spreadsheet takes it for a formula."""
        moment = (self.confirmed_at - _EPOCH) // timedelta(microseconds=1)
        return urlsafe_b64encode(moment.to_bytes(_MOMENT_BYTES, "big") + self.game_id.bytes).decode()

    @classmethod
    def of(cls, cursor: str) -> Self:
        """The place that `cursor` stands for; raises ValueError for a text that stands for none."""
        try:
            packed = urlsafe_b64decode(cursor)
            moment = timedelta(microseconds=int.from_bytes(packed[:_MOMENT_BYTES], "big"))
            place = cls(_EPOCH + moment, UUID(bytes=packed[_MOMENT_BYTES:]))
        except (ValueError, OverflowError) as error:
            raise ValueError("not a cursor") from error
        if place.cursor() != cursor:
            raise ValueError("not a cursor")
        return place


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
