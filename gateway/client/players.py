"""Saved players."""

from collections.abc import Iterator
from typing import Literal, TypedDict, Unpack, cast

from gateway.client.actions import new_id
from gateway.client.calls import Calls
from gateway.client.contract import Page, Player
from gateway.client.paging import each_item
from gateway.client.transport import Query, Request, path

Choice = Literal["false", "true", "all"]


class PlayerChange(TypedDict, total=False):
    """What may change about a player."""

    name: str
    colour: str | None
    archived: bool


class Players:
    """`/v1/players`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def page(
        self,
        *,
        archived: Choice | None = None,
        merged: Choice | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Player]:
        """Saved players; archived and merged ones only where `"true"` or `"all"` asks for them."""
        query: Query = {"archived": archived, "merged": merged, "limit": limit, "cursor": cursor}
        request = Request("GET", path("players"), query=query, repeatable=True)
        return cast("Page[Player]", self._calls.document(request))

    def each(self, *, archived: Choice | None = None, merged: Choice | None = None) -> Iterator[Player]:
        """All saved players that `page` would list, page after page."""
        return each_item(lambda cursor: self.page(archived=archived, merged=merged, cursor=cursor))

    def add(self, name: str, *, colour: str | None = None, player_id: str | None = None) -> Player:
        """Save a player; the id made here keeps a repeated request from saving two."""
        body = {"id": player_id or new_id(), "name": name}
        if colour is not None:
            body["colour"] = colour
        return self._player(Request("POST", path("players"), body=body, repeatable=True))

    def get(self, player_id: str) -> Player:
        return self._player(Request("GET", path("players", player_id), repeatable=True))

    def change(self, player_id: str, **fields: Unpack[PlayerChange]) -> Player:
        """Rename, recolour, archive or bring back; what is left out stays."""
        return self._player(Request("PATCH", path("players", player_id), body=fields, repeatable=True))

    def archive(self, player_id: str) -> None:
        """Put a player aside; `change(player_id, archived=False)` brings it back."""
        self._calls.answer(Request("DELETE", path("players", player_id), repeatable=True))

    def merge(self, player_id: str, into: str) -> Player:
        """Both are one person from now on, known as `into`; `merge_impossible`."""
        return self._player(Request("POST", path("players", player_id, "merge"), body={"into": into}))

    def unmerge(self, player_id: str) -> Player:
        """Take a merge back; `not_merged`."""
        return self._player(Request("POST", path("players", player_id, "unmerge")))

    def _player(self, request: Request) -> Player:
        return cast("Player", self._calls.document(request))
