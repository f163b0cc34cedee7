"""Taking finished games away into a file: what came stays when it breaks off, and is gone on from."""

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gateway.client.figures import WhichGames
from gateway.client.problems import Lost
from gateway.client.results import Format, Results

PIECE_BYTES = 2**20
LONGEST_ROW_BYTES = 2**16
GONE_ON_WITHIN_S = 900.0  # what is above an older place may be missing games that ended since
Heard = Callable[[int, int], None]


def _unheard(rows: int, size: int) -> None:
    """Nobody wants to know how far it is."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A file that is whole: its size in bytes, and its rows unless only Parquet knows how many they are."""

    file: Path
    size: int
    rows: int | None


@dataclass(frozen=True, slots=True)
class Place:
    """How far a file is: whole rows, bytes, and the cursor of the last row, None before the first."""

    rows: int = 0
    size: int = 0
    cursor: str | None = None


class Export:
    """One export to `target`, which appears when it is whole.

    Until then the rows lie beside it, in `part`, whose name says what was asked for and by whom (`owner`), so
    that the same export, begun again within `GONE_ON_WITHIN_S`, goes on there. Later it is begun anew, as
    Parquet always is.
    """

    def __init__(
        self,
        results: Results,
        target: Path,
        format: Format,
        which: WhichGames,
        *,
        of_all: bool = False,
        owner: str = "",
        now: Callable[[], float] = time.time,
    ) -> None:
        self._results = results
        self._target = target
        self._format = format
        self._which = which
        self._of_all = of_all
        self._now = now
        asked = json.dumps([owner, of_all, format.name, sorted(which.items())]).encode()
        self.part = target.with_name(f"{target.name}.{hashlib.sha256(asked).hexdigest()[:8]}.part")

    def run(self, heard: Heard = _unheard) -> Exported:
        """Take all of it; `heard` is told rows and bytes so far.

        Raises `Lost` when nothing more came since it last broke off, any other `ClientError`, and OSError.
        """
        with os.fdopen(os.open(self.part, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            if self._now() - os.fstat(file.fileno()).st_mtime > GONE_ON_WITHIN_S:
                file.truncate(0)
            place = settle(file, self._format)
            heard(place.rows, place.size)
            while not self._is_whole(file, place, heard):
                found = settle(file, self._format)
                if found.cursor == place.cursor:
                    raise Lost(self._results.url, "the export breaks off again and again")
                place = found
            size, rows = file.tell(), _rows(file, self._format)[1] if self._format.has_cursors else None
        self.part.replace(self._target)
        return Exported(self._target, size, rows)

    def _is_whole(self, file: IO[bytes], place: Place, heard: Heard) -> bool:
        """Whether all that is missing below `place` came."""
        rows, size, last = place.rows, place.size, b"\n"
        if self._format.name == "csv" and not place.rows:
            rows = -1  # the head is none
        stream = self._results.stream(self._format, cursor=place.cursor, of_all=self._of_all, **self._which)
        try:
            for piece in stream:
                file.write(piece)
                rows, size, last = rows + piece.count(b"\n"), size + len(piece), piece[-1:]
                heard(max(0, rows), size)
        except Lost:
            if not self._format.has_cursors or size == place.size:
                raise
            return False
        # Without a length or chunks, a stream that breaks off shows only as half a line.
        return not self._format.has_cursors or last == b"\n"


def settle(file: IO[bytes], format: Format) -> Place:
    """Cut a file that may have broken off back to what can be gone on from, and stand at its end."""
    size, rows = _rows(file, format) if format.has_cursors else (0, 0)
    if rows < 1:
        size = rows = 0
    file.truncate(size)
    file.seek(max(0, size - LONGEST_ROW_BYTES))
    last = file.read().splitlines()[-1] if rows else b""
    return Place(rows, size, _cursor(last, format) if rows else None)


def _rows(file: IO[bytes], format: Format) -> tuple[int, int]:
    """Bytes of the lines that are whole, and how many rows they are; a CSV has a head above them."""
    file.seek(0)
    end = lines = seen = 0
    while piece := file.read(PIECE_BYTES):
        if b"\n" in piece:
            end = seen + piece.rindex(b"\n") + 1
            lines += piece.count(b"\n")
        seen += len(piece)
    return end, lines - 1 if lines and format.name == "csv" else lines


def _cursor(row: bytes, format: Format) -> str:
    """The cursor of a row, which is its last value; it needs no quotes in any format."""
    return str(json.loads(row)["cursor"]) if format.name == "ndjson" else row.rpartition(b",")[2].decode()
