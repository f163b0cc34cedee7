"""A device at the table: it sees the game by its own copy of the log, and taps by what it sees."""

import random
from dataclasses import dataclass, field
from http.client import HTTPException

from urllib3.exceptions import HTTPError

from tests.support.api import Api, Json, Reply, action, play
from tests.support.audit import Exchange
from tests.support.copies import LogCopy, View, facts
from tests.support.moves import PILES, bring_back, next_action, take_back, whole_turn

LONGEST_THOUGHT_S = 0.12
MOST_TRIES = 40
MOST_TAPS = 400
AWAY = (429, 503)


@dataclass(slots=True)
class Device:
    """One of several that play `copy`'s game, each on a connection of its own; `heard` are its answers.

    Its entries say that they are `by` it. A request that nobody answers is sent again as it was.
    """

    api: Api
    game_id: str
    by: Json
    chance: random.Random
    copy: LogCopy
    heard: list[Exchange] = field(default_factory=list)
    lost_races: int = 0

    @property
    def name(self) -> str:
        return str(self.by["device"])

    @property
    def sent(self) -> set[str]:
        """The ids of all its actions."""
        return {action_id for exchange in self.heard for action_id in exchange.ids}

    def play(self) -> None:
        """Tap until the copy shows a confirmed result."""
        for _ in range(MOST_TAPS):
            seen = self._think()
            if seen.table["status"] == "finished":
                return
            self._tap(seen)
        raise AssertionError(f"{self.name} has not seen the end of the game")

    def _think(self) -> View:
        """What it sees when it has thought; mostly it thinks anew when something happens meanwhile."""
        while True:
            seen = self.copy.view
            happened = self.copy.has(seen.version + 1, self.chance.uniform(0, LONGEST_THOUGHT_S))
            if not happened or self.chance.random() < 0.1:
                return self.copy.view

    def _tap(self, seen: View) -> None:
        body = self._body(seen)
        reply = self._send(body)
        self.heard.append(Exchange(body, reply))
        if "expected_version" in body:
            assert reply.status in (200, 409), ("what the table shows is refused", body, reply.body)
        if reply.status == 409:
            self._check_missed(body, reply)
        self.copy.wait_for(reply.json["version"])

    def _body(self, seen: View) -> Json:
        luck = self.chance.random()
        expecting = {"expected_version": seen.version}
        if luck < 0.04 and seen.undo:
            return {"actions": [take_back(seen.game)]} | (expecting if luck < 0.02 else {})
        if luck < 0.07 and seen.redo:
            return {"actions": [bring_back(seen.game)]} | (expecting if luck < 0.06 else {})
        if luck < 0.1:
            return {"actions": [self._hasty()]}
        if luck < 0.85:
            return {"actions": self._turn(seen)} | expecting
        return {"actions": [next_action(seen.game, self.chance)]} | expecting

    def _turn(self, seen: View) -> list[Json]:
        """The rest of the turn with its end, as far as it can be told from the table."""
        turn = whole_turn(seen.game, self.chance)
        return [*turn, action("end_turn")] if turn[-1]["type"] == "draw" else turn

    def _hasty(self) -> Json:
        """What may or may not be legal, sent without a look."""
        laid = play(self.chance.choice(PILES), self.chance.randint(2, 99))
        return self.chance.choice([laid, action("draw"), action("end_turn")])

    def _send(self, body: Json) -> Reply:
        trouble: object = None
        for _ in range(MOST_TRIES):
            try:
                reply = self.api.post(f"/v1/games/{self.game_id}/actions", body, X_Device=self.name)
            except (HTTPError, HTTPException) as error:
                trouble = error
                continue
            if reply.status not in AWAY:
                return reply
            trouble = reply.body
        raise AssertionError(f"{self.name} is not answered: {trouble!r}")

    def _check_missed(self, body: Json, reply: Reply) -> None:
        """What it is told to have missed are the entries that its copy lacked, but for its own."""
        assert reply.code == "version_conflict", reply.body
        document = reply.json
        self.copy.wait_for(document["version"])
        own = {one["id"] for one in body["actions"]}
        since = (
            document["missed"][0]["seq"] - 1 if "expected_version" not in body else body["expected_version"]
        )
        lacked = self.copy.entries[since : document["version"]]
        assert facts(document["missed"]) == facts([e for e in lacked if e["action"]["id"] not in own])
        assert document["missed"]
        self.lost_races += 1
