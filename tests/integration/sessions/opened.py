"""A conflict of an owner, seen over HTTP."""

from typing import Any
from uuid import UUID

from tests.integration.sessions.forks import APART, Fork, fork
from tests.integration.sessions.served import Answer, Owner
from tests.integration.sessions.world import Table
from tests.support.api import Json

READ = {
    "piles": {"up1": 12, "up2": 1, "down1": 100, "down2": 100},
    "deck": 84,
    "hands": [5, 7],
    "active_seat": 0,
}


class Open:
    """One conflict, opened and, unless told otherwise, looked at."""

    def __init__(self, owner: Owner, sides: Any = APART, *, run: bool = True) -> None:
        self.owner = owner
        self.table = Table(owner.served.world, owner.account_id, UUID(owner.game_id))
        self.fork: Fork = fork(owner.served.world, sides, table=self.table)
        self.path = f"/v1/conflicts/{self.fork.conflict_id}"
        if run:
            self.fork.run()

    def read(self, **headers: str) -> Json:
        answer = self.owner.call("GET", self.path, **headers)
        assert answer.status_code == 200, answer.data
        document: Json = answer.json
        return document

    def decide(self, choice: str, **body: Any) -> Answer:
        return self.owner.call("POST", f"{self.path}/decision", {"choice": choice, **body})

    def reopen(self, side: str, **body: Any) -> Answer:
        return self.owner.call("POST", f"{self.path}/reopen", {"side": side, **body})

    def send(self, *actions: Json) -> Answer:
        answer = self.owner.call("POST", f"{self.owner.game}/actions", {"actions": actions})
        assert answer.status_code == 200, answer.data
        return answer

    @property
    def played(self) -> list[int]:
        cards: list[int] = self.owner.call("GET", self.owner.game).json["table"]["played"]
        return cards


def tops(game: Json) -> list[Any]:
    return [pile["top"] for pile in game["table"]["piles"].values()]
