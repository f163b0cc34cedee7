"""The questions and answers of the lists of finished games; the columns are those of the contract."""

from collections.abc import Sequence
from typing import Any

from marshmallow import Schema, fields, validate

from services.sessions.entrypoints.result_formats import FORMATS
from services.sessions.entrypoints.schemas import MAX_PLACES, CanonicalUUID, Cursor, printable
from services.sessions.entrypoints.stats_schemas import DaysQuery
from shared.contracts.result_columns import CURSOR, Audience, Column, Kind, columns

PAGE = 50
MOST = 200


class OpsResultsQuery(DaysQuery):
    """Which games are wanted, newest first."""

    players = fields.Integer(validate=validate.Range(1, MAX_PLACES))
    difficulty = fields.String(validate=[validate.Length(1, 32), printable])
    reduced_hand = fields.Boolean(truthy={"true", "1"}, falsy={"false", "0"})
    cursor = Cursor(
        metadata={"description": "next_cursor of the page before, or that of the last row; not with Parquet"}
    )
    limit = fields.Integer(
        validate=validate.Range(1, MOST), metadata={"description": f"of a JSON page, {PAGE} if left out"}
    )


class ResultsQuery(OpsResultsQuery):
    """Which of one's games are wanted, newest first."""

    player_id = CanonicalUUID(metadata={"description": "games at whose table this saved player sat"})


_KINDS: dict[Kind, Any] = {
    Kind.ID: fields.UUID,
    Kind.TIME: fields.DateTime,
    Kind.FLAG: fields.Boolean,
    Kind.SMALL: fields.Integer,
    Kind.COUNT: fields.Integer,
    Kind.SMALLS: lambda **more: fields.List(fields.Integer(), **more),
    Kind.TEXTS: lambda **more: fields.List(fields.String(), **more),
}


def _field(column: Column) -> fields.Field[Any]:
    made: fields.Field[Any] = _KINDS.get(column.kind, fields.String)(
        required=True, allow_none=column.is_nullable, metadata={"description": column.about}
    )
    return made


def _page(of: str, shown: Sequence[Column]) -> type[Schema]:
    figures = {column.name: _field(column) for column in (*shown, CURSOR)}
    item = Schema.from_dict(figures, name=f"{of}Out")
    page: dict[str, fields.Field[Any]] = {
        "items": fields.List(fields.Nested(item), required=True),
        "next_cursor": fields.String(required=True, allow_none=True),
    }
    return Schema.from_dict(page, name=f"{of}sOut")


ResultsOut = _page("FinishedGame", columns(Audience.OWNER))
OpsResultsOut = _page("OpsFinishedGame", columns(Audience.OPERATOR))

# Beside the JSON page: what the header Accept can ask for.
STREAMS: dict[str, Any] = {
    media_type: {
        "schema": {"type": "string"} | ({} if one.has_cursors else {"format": "binary"}),
    }
    for media_type, one in FORMATS.items()
}
