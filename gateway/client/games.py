"""Games: starting, reading, acting, the bin; from `Syncing` branches and corrections, the log, the stream."""

from collections.abc import Iterator, Sequence
from typing import TypedDict, Unpack, cast

from gateway.client.actions import new_id
from gateway.client.contract import Action, ActionsAnswer, Game, Options, Page, SeatWanted
from gateway.client.paging import each_item
from gateway.client.sharing import Access
from gateway.client.syncing import Syncing
from gateway.client.transport import Query, Request, path


class Wanted(TypedDict, total=False):
    """Which games to list."""

    status: str | None
    player_id: str | None
    updated_after: str | None
    binned: bool


class Games(Syncing):
    """`/v1/games`."""

    def start(
        self,
        players: Sequence[SeatWanted],
        options: Options | None = None,
        *,
        ruleset: str = "the-game",
        game_id: str | None = None,
    ) -> Game:
        """A new game with one to five seats; the id made here keeps a repeated request from starting two."""
        body = {
            "id": game_id or new_id(),
            "ruleset": ruleset,
            "options": options or {},
            "players": list(players),
        }
        return self._game(Request("POST", path("games"), body=body, repeatable=True))

    def page(
        self,
        *,
        status: str | None = None,
        player_id: str | None = None,
        updated_after: str | None = None,
        binned: bool = False,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Game]:
        """Games that match, shared ones too, newest first; with `binned` one's own in the bin instead."""
        query: Query = {
            "status": status,
            "player_id": player_id,
            "updated_after": updated_after,
            "bin": binned or None,
            "limit": limit,
            "cursor": cursor,
        }
        request = Request("GET", path("games"), query=query, repeatable=True)
        return cast("Page[Game]", self._calls.document(request))

    def each(self, **query: Unpack[Wanted]) -> Iterator[Game]:
        """All games that match, page after page."""
        return each_item(lambda cursor: self.page(**query, cursor=cursor))

    def get(self, game_id: str) -> Game:
        return self._game(Request("GET", path("games", game_id), repeatable=True))

    def changed_since(self, game_id: str, etag: str | None) -> tuple[Game | None, str]:
        """The game and its new ETag, or None and the same ETag when nothing in it has changed."""
        headers = {"If-None-Match": etag} if etag else {}
        answer = self._calls.answer(Request("GET", path("games", game_id), headers=headers, repeatable=True))
        found = answer.headers.get("ETag") or etag or ""
        return (None if answer.status == 304 else cast("Game", answer.document())), found

    def at(self, game_id: str, version: int) -> Game:
        """The game with its table as it was at `version`."""
        return self._game(Request("GET", path("games", game_id), query={"at": version}, repeatable=True))

    def act(
        self, game_id: str, actions: Sequence[Action], *, expected_version: int | None = None
    ) -> ActionsAnswer:
        """Apply 1 to 200 actions in order; each needs its `id`, as the functions of `actions` give it.

        The first refused one raises `ApiProblem` with its code, `index`, `outcomes` and `game`; those
        before it stay. A call that got lost is repeated: the ids keep it from counting twice.
        """
        body: dict[str, object] = {"actions": list(actions)}
        if expected_version is not None:
            body["expected_version"] = expected_version
        request = Request("POST", path("games", game_id, "actions"), body=body, repeatable=True)
        return cast("ActionsAnswer", self._calls.document(request))

    def access(self, game_id: str) -> Access:
        """What this client's token may do with a game, and until when; `not_found` when nothing."""
        request = Request("GET", path("games", game_id, "access"), repeatable=True)
        return cast("Access", self._calls.document(request))

    def leave(self, game_id: str) -> None:
        """Have a game no longer that is shared with this account; `not_shared` when it is one's own.

        `not_found` where it is not among the account's games, but for what a repeated call itself has done.
        """
        self._calls.take_away(Request("DELETE", path("games", game_id, "access"), repeatable=True))

    def delete(self, game_id: str) -> None:
        """Put a game into the bin, from which it is gone for good after 30 days."""
        self._calls.answer(Request("DELETE", path("games", game_id), repeatable=True))

    def restore(self, game_id: str) -> Game:
        """Take a game out of the bin."""
        return self._game(Request("POST", path("games", game_id, "restore"), repeatable=True))

    def _game(self, request: Request) -> Game:
        return cast("Game", self._calls.document(request))
