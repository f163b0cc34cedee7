"""Finished games as a list and as a whole: a page of them, or a stream of all with little in memory."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy import Engine

from services.sessions.adapters import result_export
from services.sessions.adapters.result_export import Form
from services.sessions.domain.result_list import Which
from shared.contracts.result_columns import CURSOR, Audience, Column, columns
from shared.web.problems import Problem

AT_ONCE = 4  # each holds a thread, a connection and a snapshot of the database while it lasts
AT_ONCE_EACH = 2
LONGEST_S = 900.0
COME_BACK_S = 5


class TooLong(Exception):
    """An export was not over in time; what it has sent stays good, and may be gone on from."""


class Export:
    """The lines of an export as they come, as many at a time as are ready; closing it cancels its query."""

    def __init__(
        self,
        pieces: Generator[bytes, None, None],
        is_late: Callable[[], bool],
        ended: Callable[[], None],
    ) -> None:
        self._pieces = pieces
        self._is_late = is_late
        self._ended: Callable[[], None] | None = ended
        self._first: bytes | None = None
        self.is_whole = False

    def begin(self) -> None:
        """Fetch the first lines, so that what is wrong shows before anything is answered."""
        self._first = next(self._pieces, None)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if self._is_late():
            raise TooLong
        first, self._first = self._first, None
        piece = first or next(self._pieces, b"")
        if not piece:
            self.is_whole = True
            self.close()
            raise StopIteration
        return piece

    def close(self) -> None:
        """End it, whole or not; may be called again."""
        ended, self._ended = self._ended, None
        if ended is not None:
            try:
                self._pieces.close()
            finally:
                ended()


class Exports:
    """The lists of results; `engine` has transactions, one for each export that runs, `reader` autocommit.

    At most `at_once` exports run in this process, and `at_once_each` of one account.
    """

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        *,
        at_once: int = AT_ONCE,
        at_once_each: int = AT_ONCE_EACH,
        longest_s: float = LONGEST_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._at_once = at_once
        self._at_once_each = at_once_each
        self._longest_s = longest_s
        self._clock = clock
        self._lock = threading.Lock()
        self._running: Counter[UUID] = Counter()

    def page(self, which: Which, limit: int) -> list[Any]:
        """At most `limit` results as JSON documents, newest first, each with its cursor."""
        with self._reader.connect() as connection:
            return result_export.page(connection, which, (*shown(which), CURSOR), limit)

    def open(self, asker: UUID, which: Which, form: Form, *, with_cursor: bool) -> Export:
        """All of them, for the account `asker`; raises `Problem`: exports_busy, service_unavailable."""
        wanted = (*shown(which), CURSOR) if with_cursor else shown(which)
        deadline = self._clock() + self._longest_s
        self._begin(asker)
        export = Export(
            result_export.copied(self._engine, which, wanted, form, self._longest_s),
            lambda: self._clock() > deadline,
            lambda: self._end(asker),
        )
        try:
            export.begin()
        except psycopg.OperationalError as error:
            export.close()
            raise Problem("service_unavailable") from error
        except BaseException:
            export.close()
            raise
        return export

    def _begin(self, asker: UUID) -> None:
        with self._lock:
            if self._running.total() >= self._at_once or self._running[asker] >= self._at_once_each:
                raise Problem("exports_busy", retry_after=COME_BACK_S)
            self._running[asker] += 1

    def _end(self, asker: UUID) -> None:
        with self._lock:
            self._running[asker] -= 1
            self._running += Counter()  # without those that have none


def shown(which: Which) -> tuple[Column, ...]:
    """The columns that are shown of these results: to whoever has them, or to operators of all."""
    return columns(Audience.OPERATOR if which.owner_id is None else Audience.OWNER)
