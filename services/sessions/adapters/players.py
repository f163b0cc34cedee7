"""Asks accounts, over the bus: who the saved players of an account are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from services.sessions.adapters.rules import Asks, Away
from shared.bus.requests import NoAnswer

TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class Player:
    """A saved player: `saved_id` as asked, `player_id` whom it counts as after a merge."""

    saved_id: UUID
    player_id: UUID
    name: str


class Players:
    """The saved players of accounts as sessions sees them."""

    def __init__(self, requests: Asks) -> None:
        self._requests = requests

    def named(self, account_id: UUID, player_ids: Sequence[UUID]) -> dict[UUID, Player]:
        """Those of `player_ids` that the account owns, by the id asked for; raises `Away`."""
        if not player_ids:
            return {}
        body: dict[str, Any] = {
            "op": "players",
            "account_id": str(account_id),
            "player_ids": [str(player_id) for player_id in player_ids],
        }
        try:
            answer = self._requests.ask(body, TIMEOUT_S)
        except NoAnswer as error:
            raise Away("accounts") from error
        if "error" in answer:
            raise Away("accounts")
        found: dict[UUID, Player] = {}
        for player in answer["players"]:
            asked = UUID(player.get("asked") or player["id"])
            found[asked] = Player(asked, UUID(player["id"]), player["name"])
        return found
