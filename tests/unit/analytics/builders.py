"""An export as an analyst has it, small."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from services.sessions.entrypoints.parquet import ParquetWriter
from shared.contracts.result_columns import Audience, Kind, columns
from shared.web.encoding import dumps

_ANYTHING: Mapping[Kind, Any] = {
    Kind.ID: "01a22bd5-55f3-7234-86cf-01c617bffb4a",
    Kind.TEXT: "1",
    Kind.TIME: "2026-05-01T18:30:00.5Z",
    Kind.FLAG: False,
    Kind.SMALL: 3,
    Kind.COUNT: 30,
    Kind.SMALLS: [2, 3],
    Kind.TEXTS: ["Ana"],
}


def document(**figures: Any) -> dict[str, Any]:
    """A finished game with these figures and any others."""
    return {column.name: _ANYTHING[column.kind] for column in columns(Audience.OWNER)} | figures


def export(folder: Path, documents: Sequence[Mapping[str, Any]], group_rows: int = 100) -> Path:
    """The Parquet file of these games."""
    writer = ParquetWriter(columns(Audience.OWNER), group_rows)
    pieces = [writer.begin(), *(writer.write(dumps(one) + b"\n") for one in documents), writer.end()]
    file = folder / "games.parquet"
    file.write_bytes(b"".join(pieces))
    return file
