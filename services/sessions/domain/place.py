"""Where something stands in a list, newest first: a cursor that stays one when that thing is gone."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Self
from uuid import UUID

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOMENT_BYTES, _ID_BYTES = 8, 16


@dataclass(frozen=True, slots=True)
class Place:
    """By the moment that the list goes by, among those of one moment by id.

    In the list of all accounts' results a hash of 16 bytes is what stands for the id.
    """

    moment: datetime
    id: UUID

    def cursor(self) -> str:
        """32 characters of base64url; the first is `A`, so that no spreadsheet takes it for a formula."""
        moment = (self.moment - _EPOCH) // timedelta(microseconds=1)
        return urlsafe_b64encode(moment.to_bytes(_MOMENT_BYTES, "big") + self.id.bytes).decode()

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
