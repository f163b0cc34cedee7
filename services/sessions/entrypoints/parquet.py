"""Finished games as Parquet, a row group at a time, so that no more than one is in memory.

The library is imported by the first export that asks for it: it takes as much memory as all the rest.
"""

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shared.contracts.result_columns import Column, Kind

if TYPE_CHECKING:
    import pyarrow

GROUP_ROWS = 16_384
BLOCK_BYTES = 4 * 2**20  # read at once; any row is shorter


class ParquetWriter:
    """Writes Parquet out of lines of JSON."""

    def __init__(self, columns: Sequence[Column], group_rows: int = GROUP_ROWS) -> None:
        from pyarrow import parquet

        self._schema = schema(columns)
        self._group_rows = group_rows
        self._waiting: list[bytes] = []
        self._rows = 0
        self._sink = _Sink()
        # What hardly repeats is written faster without looking for repetitions.
        repeating = [column.name for column in columns if column.kind is Kind.TEXT]
        self._writer = parquet.ParquetWriter(
            self._sink, self._schema, compression="zstd", use_dictionary=repeating
        )

    def begin(self) -> bytes:
        return self._sink.taken()

    def write(self, lines: bytes) -> bytes:
        self._waiting.append(lines)
        self._rows += lines.count(b"\n")
        if self._rows >= self._group_rows:
            self._write_group()
        return self._sink.taken()

    def end(self) -> bytes:
        import pyarrow

        if self._rows:
            self._write_group()
        self._writer.close()
        pyarrow.default_memory_pool().release_unused()  # it would keep a group's memory for the next export
        return self._sink.taken()

    def _write_group(self) -> None:
        from pyarrow import json

        lines, self._waiting, self._rows = io.BytesIO(b"".join(self._waiting)), [], 0
        read = json.read_json(
            lines,
            read_options=json.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
            parse_options=json.ParseOptions(explicit_schema=self._schema, unexpected_field_behavior="error"),
        )
        self._writer.write_table(read.cast(self._schema))


def schema(columns: Sequence[Column]) -> "pyarrow.Schema":
    """The schema of a file with these columns, each with its meaning in the metadata."""
    import pyarrow

    types: dict[Kind, Any] = {
        Kind.TIME: pyarrow.timestamp("us", tz="UTC"),
        Kind.FLAG: pyarrow.bool_(),
        Kind.SMALL: pyarrow.int16(),
        Kind.COUNT: pyarrow.int32(),
        Kind.SMALLS: pyarrow.list_(pyarrow.field("element", pyarrow.int16())),
        Kind.TEXTS: pyarrow.list_(pyarrow.field("element", pyarrow.string())),
    }
    return pyarrow.schema(
        [
            pyarrow.field(
                column.name,
                types.get(column.kind) or pyarrow.string(),
                nullable=column.is_nullable,
                metadata={"about": column.about},
            )
            for column in columns
        ]
    )


class _Sink(io.RawIOBase):
    """A file that keeps what is written until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []
        self._written = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._written

    def write(self, data: Any, /) -> int:
        piece = bytes(memoryview(data))
        self._pieces.append(piece)
        self._written += len(piece)
        return len(piece)

    def taken(self) -> bytes:
        """All that was written since the last time."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
