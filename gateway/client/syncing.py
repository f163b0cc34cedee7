"""Bringing in what a device recorded on its own, what of it was refused, and correcting a game as a whole."""

from collections.abc import Iterator, Sequence
from typing import cast

from gateway.client.actions import new_id
from gateway.client.branches import Parked, SyncAnswer, TableShown
from gateway.client.contract import Action, ActionsAnswer, Page
from gateway.client.following import Following
from gateway.client.paging import each_item
from gateway.client.transport import Query, Request, path


class Syncing(Following):
    """`/v1/games/{id}/sync`, `/parked`, `/adopt` and `/rewind`; all but reading and deleting needs Plus."""

    def sync(self, game_id: str, device: str, base_version: int, actions: Sequence[Action]) -> SyncAnswer:
        """Bring in 0 to 1,000 `actions` that `device` recorded after the first `base_version` entries.

        All of them are looked at: refused ones are parked and hold up nothing else. Where the game went on
        meanwhile and not all fits, the answer names a `conflict`. The same again is answered alike.
        """
        body = {"device": device, "base_version": base_version, "actions": list(actions)}
        request = Request("POST", path("games", game_id, "sync"), body=body, repeatable=True)
        return cast("SyncAnswer", self._calls.document(request))

    def parked_page(
        self, game_id: str, *, limit: int | None = None, cursor: str | None = None
    ) -> Page[Parked]:
        """What was refused of branches, newest first."""
        query: Query = {"limit": limit, "cursor": cursor}
        request = Request("GET", path("games", game_id, "parked"), query=query, repeatable=True)
        return cast("Page[Parked]", self._calls.document(request))

    def parked(self, game_id: str) -> Iterator[Parked]:
        """All that was refused of branches, page after page."""
        return each_item(lambda cursor: self.parked_page(game_id, cursor=cursor))

    def delete_parked(self, game_id: str, action_id: str) -> None:
        """Put a refused action away."""
        self._calls.answer(Request("DELETE", path("games", game_id, "parked", action_id), repeatable=True))

    def adopt(
        self, game_id: str, table: TableShown, *, expected_version: int, action_id: str | None = None
    ) -> ActionsAnswer:
        """Take what the table shows, as one entry that undo takes back; `table_impossible` with `errors`."""
        body = {"id": action_id or new_id(), "table": table, "expected_version": expected_version}
        return self._corrected(game_id, "adopt", body)

    def rewind(
        self, game_id: str, to_version: int, *, expected_version: int, action_id: str | None = None
    ) -> ActionsAnswer:
        """Go back to the game as it was at `to_version`, as one entry that undo takes back."""
        body = {"id": action_id or new_id(), "to_version": to_version, "expected_version": expected_version}
        return self._corrected(game_id, "rewind", body)

    def _corrected(self, game_id: str, how: str, body: dict[str, object]) -> ActionsAnswer:
        request = Request("POST", path("games", game_id, how), body=body, repeatable=True)
        return cast("ActionsAnswer", self._calls.document(request))
