"""Walking through a list that comes in pages."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from gateway.client.contract import Page

Item = TypeVar("Item")


def each_item(page: Callable[[str | None], Page[Item]]) -> Iterator[Item]:
    """All items, in order; `page` fetches the page at a cursor, None being the first."""
    cursor: str | None = None
    while True:
        fetched = page(cursor)
        yield from fetched["items"]
        cursor = fetched["next_cursor"]
        if cursor is None:
            return
