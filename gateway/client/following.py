"""Reading what happens in a game: the log in pages, the log as a stream, and the live stream."""

from collections.abc import Callable, Iterator
from typing import cast

from gateway.client.calls import NDJSON, Calls
from gateway.client.contract import Entry, EntryWithTable, Page
from gateway.client.live import LiveEvent
from gateway.client.paging import each_item
from gateway.client.transport import Query, Request, path
from gateway.client.watching import Watch


def _unheard(_: bool) -> None:
    """Nobody wants to know about the connection."""


class Following:
    """`/v1/games/{id}/log` and `/v1/games/{id}/live`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def log_page(
        self,
        game_id: str,
        *,
        after: int | None = None,
        tables: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Entry]:
        """Entries in order, those with a `seq` above `after`; with `tables` each is an `EntryWithTable`."""
        query: Query = {"after": after, "tables": tables or None, "limit": limit, "cursor": cursor}
        request = Request("GET", path("games", game_id, "log"), query=query, repeatable=True)
        return cast("Page[Entry]", self._calls.document(request))

    def log(self, game_id: str, *, after: int = 0) -> Iterator[Entry]:
        """All entries above `after`, page after page."""
        return each_item(
            lambda cursor: self.log_page(game_id, after=None if cursor else after, cursor=cursor)
        )

    def log_with_tables(self, game_id: str, *, after: int = 0) -> Iterator[EntryWithTable]:
        """All entries above `after`, each with the table and the result that it led to."""
        entries = each_item(
            lambda cursor: self.log_page(game_id, after=None if cursor else after, tables=True, cursor=cursor)
        )
        return cast("Iterator[EntryWithTable]", entries)

    def stream_log(self, game_id: str, *, after: int = 0) -> Iterator[Entry]:
        """All entries above `after` in one streamed answer, taken up again where it breaks off."""

        def request(seq: int) -> Request:
            where = path("games", game_id, "log")
            return Request("GET", where, query={"after": seq}, accept=NDJSON, repeatable=True)

        return self._calls.entries(request(after), request)

    def watch(
        self,
        game_id: str,
        after: int | None = None,
        device: str | None = None,
        *,
        connected: Callable[[bool], None] = _unheard,
    ) -> Iterator[LiveEvent]:
        """Every entry above `after` (left out: all of them) once and in order, as it comes, without end.

        In between come the devices that watch. A connection that breaks is made again for as long as it
        takes; `connected` hears False when it is lost and True when it stands. Raises `ApiProblem` when
        the right to see the game is gone, and any `ClientError` when the first connection fails. Who
        watches is told to the others by the name `device`, else by the client's own.
        """
        return Watch(
            self._calls,
            game_id,
            after or 0,
            device,
            lambda seq: self.log_with_tables(game_id, after=seq),
            connected,
        ).events()
