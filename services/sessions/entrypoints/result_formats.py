"""The formats in which finished games are taken away, made of the lines that the database writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from services.sessions.adapters.result_export import Form
from services.sessions.entrypoints.parquet import ParquetWriter
from shared.contracts.result_columns import CURSOR, Column

MARK = "\ufeff"  # by it spreadsheets know UTF-8


class Writer(Protocol):
    """Writes one file; what a call returns can be sent at once, and may be nothing yet."""

    def begin(self) -> bytes:
        """What stands before the first row."""

    def write(self, lines: bytes) -> bytes:
        """These lines, or what is ready of all so far."""

    def end(self) -> bytes:
        """What is left, and what stands after the last row."""


class Lines:
    """Writes the lines as they are, below `head`."""

    def __init__(self, head: bytes = b"") -> None:
        self._head = head

    def begin(self) -> bytes:
        return self._head

    def write(self, lines: bytes) -> bytes:
        return lines

    def end(self) -> bytes:
        return b""


@dataclass(frozen=True, slots=True)
class Format:
    """A format by its name; `form` is that of its lines. One with cursors goes on where it broke off."""

    name: str
    media_type: str
    form: Form
    has_cursors: bool

    @property
    def content_type(self) -> str:
        return f"{self.media_type}; charset=utf-8" if self.media_type.startswith("text/") else self.media_type

    def writer(self, columns: Sequence[Column], *, goes_on: bool) -> Writer:
        """A new file's; one that goes on has no head, so that it can be put below what there is."""
        if self is PARQUET:
            return ParquetWriter(columns)
        names = ",".join(column.name for column in (*columns, CURSOR))
        return Lines(f"{MARK}{names}\n".encode() if self is CSV and not goes_on else b"")


CSV = Format("csv", "text/csv", "csv", has_cursors=True)
NDJSON = Format("ndjson", "application/x-ndjson", "ndjson", has_cursors=True)
PARQUET = Format("parquet", "application/vnd.apache.parquet", "ndjson", has_cursors=False)
FORMATS = {one.media_type: one for one in (CSV, NDJSON, PARQUET)}
