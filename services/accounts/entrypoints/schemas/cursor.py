"""The opaque cursor of a list: a place, packed."""

from base64 import b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any
from uuid import UUID

from marshmallow import ValidationError, fields

from services.accounts.domain.pages import Place

_PACKED = Struct(">q16s")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_END = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND


def written(place: Place) -> str:
    """`place` as a cursor."""
    return urlsafe_b64encode(
        _PACKED.pack((place.created_at - _EPOCH) // _MICROSECOND, place.id.bytes)
    ).decode()


def read(cursor: str) -> Place:
    """The place behind `cursor`; raises ValueError when it is not one of ours."""
    packed = b64decode(cursor.encode("ascii"), altchars=b"-_", validate=True)
    if len(packed) != _PACKED.size:
        raise ValueError("length")
    microseconds, identifier = _PACKED.unpack(packed)
    if not 0 <= microseconds < _END:
        raise ValueError("time")
    return Place(_EPOCH + microseconds * _MICROSECOND, UUID(bytes=identifier))


class Cursor(fields.String):
    """A cursor in a query."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(metadata={"pattern": "^[A-Za-z0-9_-]{32}$"}, **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return read(super()._deserialize(value, attr, data, **kwargs))
        except ValueError as error:
            if isinstance(error, ValidationError):
                raise
            raise ValidationError("Not a cursor of this list.") from error
