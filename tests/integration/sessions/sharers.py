"""Accounts that games of others are shared with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID, uuid4

from tests.integration.sessions.ledgers import job
from tests.integration.sessions.running import running
from tests.integration.sessions.served import Answer, Owner, Served
from tests.integration.sessions.world import World, eventually
from tests.support.api import Json


@dataclass(frozen=True, slots=True)
class Sharer:
    """Somebody with an account, as told when they accepted an invitation last."""

    served: Served
    account_id: UUID
    token: str
    told: Json
    call: Callable[..., Answer] = field(repr=False)

    @property
    def game(self) -> str:
        return f"/v1/games/{self.told['game_id']}"

    def listed(self, query: str = "") -> dict[str, str]:
        """The games of the list, newest first, each with the role in it."""
        answer = self.call("GET", f"/v1/games{query}")
        assert answer.status_code == 200, answer.data
        return {game["id"]: game["access"]["role"] for game in answer.json["items"]}

    def accepts(self, code: str) -> Json:
        answer = self.call("POST", "/v1/invitations/accept", {"code": code})
        assert answer.status_code == 200, answer.data
        found: Json = answer.json
        return found

    def leaves(self) -> Answer:
        return self.call("DELETE", f"{self.game}/access")


def joined(served: Served, code: str, account_id: UUID | None = None) -> Sharer:
    """Somebody, anybody unless it is said who, has accepted with their account."""
    account_id = account_id or uuid4()
    token, _ = served.token(account_id)
    call = partial(served.call, token=token)
    answer = call("POST", "/v1/invitations/accept", {"code": code})
    assert answer.status_code == 200, answer.data
    return Sharer(served, account_id, token, answer.json, call)


def sharer(owner: Owner, role: str = "recorder", **body: int) -> Sharer:
    """Somebody whom the owner has invited anew."""
    return joined(owner.served, owner.invite(role, **body)["code"])


def deleted(world: World, *account_ids: UUID) -> None:
    """Sessions has heard that these accounts are no more."""
    with running(world.consumer().run):
        for account_id in account_ids:
            event = world.hear("accounts.account.deleted", account_id)
            eventually(lambda event=event: world.is_handled(event))  # type: ignore[misc]


def counted(world: World, account_id: UUID) -> list[str]:
    """The games that the ledger counts for the account, after all that is due was looked at."""
    job(world).sweep()
    rows = world.rows("SELECT game_id FROM results WHERE account_id = :id ORDER BY 1", id=account_id)
    return [str(row.game_id) for row in rows]
