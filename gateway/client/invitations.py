"""Invitations: making, listing and withdrawing them; accepting one, with an account or as a guest."""

from collections.abc import Iterator
from typing import Literal, cast

from gateway.client.calls import Calls
from gateway.client.contract import Page
from gateway.client.paging import each_item
from gateway.client.sharing import AccountAnswer, GuestAnswer, Invitation, NewInvitation
from gateway.client.transport import Query, Request, path


class Invitations:
    """`/v1/games/{id}/invitations` and `/v1/invitations/accept`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def create(
        self, game_id: str, role: Literal["recorder", "viewer"], *, expires_in_s: int | None = None
    ) -> NewInvitation:
        """Invite to a game of one's own; the code is told this once. `plus_required`.

        It is good for `expires_in_s`, 60 to 2,592,000 (left out: a day).
        """
        body: dict[str, object] = {"role": role}
        if expires_in_s is not None:
            body["expires_in"] = expires_in_s
        request = Request("POST", path("games", game_id, "invitations"), body=body)
        return cast("NewInvitation", self._calls.document(request))

    def page(self, game_id: str, *, limit: int | None = None, cursor: str | None = None) -> Page[Invitation]:
        """The invitations to a game, newest first, ended ones included."""
        query: Query = {"limit": limit, "cursor": cursor}
        request = Request("GET", path("games", game_id, "invitations"), query=query, repeatable=True)
        return cast("Page[Invitation]", self._calls.document(request))

    def each(self, game_id: str) -> Iterator[Invitation]:
        """All invitations to a game, page after page."""
        return each_item(lambda cursor: self.page(game_id, cursor=cursor))

    def revoke(self, game_id: str, invitation_id: str) -> None:
        """Withdraw an invitation: whoever accepted it is out at once, accounts too."""
        where = path("games", game_id, "invitations", invitation_id)
        self._calls.answer(Request("DELETE", where, repeatable=True))

    def accept(self, code: str) -> GuestAnswer:
        """A guest's token for `as_guest`; `invitation_unknown`, `invitation_ended`, `too_many_guests`."""
        # Carried out twice it only leaves a guest that nobody is.
        return cast("GuestAnswer", self._calls.guest_document(_accepting(code)))

    def join(self, code: str) -> AccountAnswer | GuestAnswer:
        """Have the game shared with whoever is signed in; refused as `accept`. Again is fine.

        Where the answer's `access_token` is None one's own token is good for the game; where nobody is
        signed in it is a guest's.
        """
        return cast("AccountAnswer | GuestAnswer", self._calls.document(_accepting(code)))


def _accepting(code: str) -> Request:
    return Request("POST", path("invitations", "accept"), body={"code": code}, repeatable=True)
