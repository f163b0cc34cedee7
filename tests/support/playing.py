"""People who play on through the gateway whatever breaks: what is not answered is sent again as it was."""

import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from urllib3.exceptions import HTTPError

from tests.support.api import Api, Json, Reply, sign_up, whole_log
from tests.support.audit import Exchange, audit, replay
from tests.support.moves import bring_back, next_action, take_back, whole_turn
from tests.support.waiting import until

PATIENCE_S = 90.0
PAUSE_S = 0.1
THINKING_S = 0.02
GAME_ENTRIES = 120


class Away(AssertionError):
    """The system did not come back in time."""


class Patient:
    """An account's API that repeats, as the contract says is safe, what finds a part of the system away."""

    def __init__(self, api: Api, patience_s: float = PATIENCE_S) -> None:
        self._api = api
        self._patience_s = patience_s
        self._pause = threading.Event()
        self.repeated = 0

    def call(self, method: str, path: str, json: Any = None) -> Reply:
        """The first answer that is not 503."""
        deadline_s = time.monotonic() + self._patience_s
        trouble: object = None
        while time.monotonic() < deadline_s:
            try:
                reply = self._api.call(method, path, json)
            except HTTPError as error:
                trouble = error
            else:
                if reply.status != 503:
                    assert reply.status < 500, (method, path, reply.status, reply.body)
                    return reply
                assert reply.code == "service_unavailable"
                assert int(reply.headers["Retry-After"]) >= 1
                trouble = reply.body
            self.repeated += 1
            self._pause.wait(PAUSE_S)
        raise Away(f"{method} {path}: {trouble!r} for {self._patience_s:g} s")

    def new_game(self, players: int = 2) -> Json:
        """A game, made once however often it is asked for."""
        names = [{"name": f"Player {number}"} for number in range(players)]
        body = {"id": str(uuid4()), "ruleset": "the-game", "players": names}
        reply = self.call("POST", "/v1/games", body)
        assert reply.status == 201, reply.body
        game: Json = reply.json
        return game


class Player:
    """One table: plays game after game until told to stop, and remembers every answer."""

    def __init__(self, api: Api, seed: int) -> None:
        self.api = api
        self.patient = Patient(api)
        self.games: dict[str, list[Exchange]] = {}
        self.accepted = 0
        self._chance = random.Random(seed)

    def play(self, stop: threading.Event) -> None:
        game: Json | None = None
        while not stop.is_set():
            if game is None or game["result"] or game["version"] >= GAME_ENTRIES:
                game = self.patient.new_game(self._chance.randint(1, 5))
                self.games[game["id"]] = []
            body = {"actions": self._actions(game), "expected_version": game["version"]}
            reply = self.patient.call("POST", f"/v1/games/{game['id']}/actions", body)
            assert reply.status == 200, (body, reply.body)
            self.games[game["id"]].append(Exchange(body, reply))
            self.accepted += len(body["actions"])
            game = reply.json["game"]
            stop.wait(THINKING_S)

    def _actions(self, game: Json) -> list[Json]:
        luck = self._chance.random()
        if luck < 0.08 and game["undo"]:
            return [take_back(game)]
        if luck < 0.12 and game["redo"]:
            return [bring_back(game)]
        if luck < 0.5:
            return whole_turn(game, self._chance)
        return [next_action(game, self._chance)]


class Evening:
    """Several tables that are playing."""

    def __init__(self, players: Sequence[Player]) -> None:
        self.players = players
        self.errors: list[BaseException] = []

    def wait_for_plays(self, count: int, timeout_s: float = PATIENCE_S) -> None:
        """Wait until every table has had `count` more actions accepted."""
        goals = [player.accepted + count for player in self.players]

        def reached() -> bool:
            if self.errors:
                raise self.errors[0]
            return all(player.accepted >= goal for player, goal in zip(self.players, goals, strict=True))

        until(reached, timeout_s, f"every table has played {count} more")

    @property
    def games(self) -> list[str]:
        return [game_id for player in self.players for game_id in player.games]

    def audit(self) -> dict[str, list[Json]]:
        """Compare every answer with the logs as they are now; the log of each game by its id."""
        logs = {}
        for player in self.players:
            for game_id, exchanges in player.games.items():
                game = player.patient.call("GET", f"/v1/games/{game_id}").json
                logs[game_id] = whole_log(player.api, game_id)
                audit(game, logs[game_id], replay(player.api, game, logs[game_id]), exchanges)
        return logs


@contextmanager
def playing(url: str, tables: int = 3, seed: int = 98) -> Iterator[Evening]:
    """`tables` tables play through the gateway at `url`, each in a thread; inside the block all have begun.

    The first error of one is raised at the end.
    """
    evening = Evening([Player(sign_up(url), seed + number) for number in range(tables)])
    stop = threading.Event()

    def run(player: Player) -> None:
        try:
            player.play(stop)
        except BaseException as error:
            evening.errors.append(error)
            raise

    threads = [threading.Thread(target=run, args=(player,), daemon=True) for player in evening.players]
    for thread in threads:
        thread.start()
    try:
        evening.wait_for_plays(5)
        yield evening
    finally:
        stop.set()
        for thread in threads:
            thread.join(PATIENCE_S)
    if evening.errors:
        raise evening.errors[0]
