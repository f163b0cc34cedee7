"""Conflicts between a game's log and the branch of a device: reading, deciding, reopening a side."""

from collections.abc import Iterator
from typing import cast

from gateway.client.actions import new_id
from gateway.client.branches import Choice, Conflict, Side, Status, TableShown
from gateway.client.calls import Calls
from gateway.client.contract import Game, Page
from gateway.client.paging import each_item
from gateway.client.transport import Query, Request, path


class Conflicts:
    """`/v1/conflicts`; reading needs no Plus."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def page(
        self,
        *,
        status: Status | None = None,
        game_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Conflict]:
        """Conflicts of one's games that match, newest first, without the entries and actions of any story.

        Where few of many have the `status` a page may be short: the last one has no `next_cursor`.
        """
        query: Query = {"status": status, "game_id": game_id, "limit": limit, "cursor": cursor}
        request = Request("GET", path("conflicts"), query=query, repeatable=True)
        return cast("Page[Conflict]", self._calls.document(request))

    def each(self, *, status: Status | None = None, game_id: str | None = None) -> Iterator[Conflict]:
        """All conflicts that match, page after page."""
        return each_item(lambda cursor: self.page(status=status, game_id=game_id, cursor=cursor))

    def get(self, conflict_id: str) -> Conflict:
        """Both sides, what is asked of the table, and in words what each choice would discard."""
        request = Request("GET", path("conflicts", conflict_id), repeatable=True)
        return cast("Conflict", self._calls.document(request))

    def decide(
        self,
        conflict_id: str,
        choice: Choice,
        *,
        table: TableShown | None = None,
        expected_version: int | None = None,
    ) -> Game:
        """Settle a conflict in one entry, which undo takes back; `table` goes with the choice `table`.

        The same decision again is answered alike, another one is `conflict_settled`. Where the game went on
        after `expected_version` (left out: after the conflict was looked at) nothing is decided:
        `version_conflict` with `missed` and the `conflict` as it is now.
        """
        body: dict[str, object] = {"choice": choice}
        if table is not None:
            body["table"] = table
        if expected_version is not None:
            body["expected_version"] = expected_version
        request = Request("POST", path("conflicts", conflict_id, "decision"), body=body, repeatable=True)
        return cast("Game", self._calls.document(request))

    def reopen(self, conflict_id: str, side: Side, *, game_id: str | None = None) -> Game:
        """A new game that begins with what one side has; the id made here keeps a repetition from two."""
        body = {"id": game_id or new_id(), "side": side}
        request = Request("POST", path("conflicts", conflict_id, "reopen"), body=body, repeatable=True)
        return cast("Game", self._calls.document(request))
