"""Finished games one by one: in pages, one after the other, or as the bytes of a whole file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack, cast

from gateway.client.calls import Calls
from gateway.client.contract import Page
from gateway.client.figures import FinishedGame, WhichGames, query_of
from gateway.client.paging import each_item
from gateway.client.transport import Pieces, Request, path

BETWEEN_PIECES_S = 60.0  # a busy database may take its time, above all for the first rows


@dataclass(frozen=True, slots=True)
class Format:
    """A format that finished games can be taken away in; one with cursors goes on where it broke off."""

    name: str
    media_type: str
    has_cursors: bool


FORMATS = {
    one.name: one
    for one in (
        Format("csv", "text/csv", has_cursors=True),
        Format("ndjson", "application/x-ndjson", has_cursors=True),
        Format("parquet", "application/vnd.apache.parquet", has_cursors=False),
    )
}


class Results:
    """`/v1/results` and `/v1/ops/results`, newest first."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.url = calls.url

    def page(
        self, *, limit: int | None = None, cursor: str | None = None, **which: Unpack[WhichGames]
    ) -> Page[FinishedGame]:
        """One's finished games that match."""
        return self._page(path("results"), limit, cursor, which)

    def each(self, **which: Unpack[WhichGames]) -> Iterator[FinishedGame]:
        """All of one's finished games that match, page after page."""
        return each_item(lambda cursor: self._page(path("results"), None, cursor, which))

    def page_of_all(
        self, *, limit: int | None = None, cursor: str | None = None, **which: Unpack[WhichGames]
    ) -> Page[FinishedGame]:
        """Those of all accounts, without names and ids: for operators, else `operator_required`."""
        return self._page(path("ops", "results"), limit, cursor, which)

    def stream(
        self, format: Format, *, cursor: str | None = None, of_all: bool = False, **which: Unpack[WhichGames]
    ) -> Pieces:
        """All that match as a file of `format`, in pieces; with a `cursor` what comes below that row.

        Raises `exports_busy` while too many are being made, and `Lost` where it breaks off.
        """
        where = path("ops", "results") if of_all else path("results")
        return self._calls.stream(
            Request(
                "GET",
                where,
                query={"cursor": cursor, **query_of(which)},
                accept=format.media_type,
                repeatable=True,
                read_timeout_s=BETWEEN_PIECES_S,
            )
        )

    def _page(
        self, where: str, limit: int | None, cursor: str | None, which: WhichGames
    ) -> Page[FinishedGame]:
        query = {"limit": limit, "cursor": cursor, **query_of(which)}
        request = Request("GET", where, query=query, repeatable=True)
        return cast("Page[FinishedGame]", self._calls.document(request))
