"""The opaque cursor of a list: a place, packed."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any
from uuid import UUID

from marshmallow import ValidationError, fields

from services.accounts.domain.pages import Place

_PACKED = Struct(">q16s")
_LENGTH = 32
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def written(place: Place) -> str:
    """`place` as a cursor."""
    return urlsafe_b64encode(
        _PACKED.pack((place.created_at - _EPOCH) // _MICROSECOND, place.id.bytes)
    ).decode()


def read(cursor: str) -> Place:
    """The place behind `cursor`; raises ValueError when it is not one of ours."""
    if len(cursor) != _LENGTH:
        raise ValueError("length")
    microseconds, identifier = _PACKED.unpack(urlsafe_b64decode(cursor.encode("ascii")))
    try:
        return Place(_EPOCH + microseconds * _MICROSECOND, UUID(bytes=identifier))
    except OverflowError as error:
        raise ValueError("time") from error


class Cursor(fields.String):
    """A cursor in a query."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return read(super()._deserialize(value, attr, data, **kwargs))
        except ValueError as error:
            if isinstance(error, ValidationError):
                raise
            raise ValidationError("Not a cursor of this list.") from error
