"""A sender on a bad connection: requests arrive twice, late and out of order, and answers get lost."""

import random
import threading
from collections.abc import Callable, Sequence
from functools import partial
from http.client import HTTPConnection
from typing import TypeVar
from urllib.parse import urlsplit

import orjson

from tests.support.api import Api, Json, Reply
from tests.support.audit import Exchange

T = TypeVar("T")


class Unreliable:
    """Sends batches of actions to one game; what is done to each is decided by `chance`, so by its seed.

    `heard` are all answers that came through, also those to second copies.
    """

    def __init__(self, api: Api, game_id: str, chance: random.Random) -> None:
        self.heard: list[Exchange] = []
        self._api = api
        self._game = f"/v1/games/{game_id}"
        self._path = f"{self._game}/actions"
        self._chance = chance
        self._late: list[Json] = []
        self._guard = threading.Lock()
        self._ways: Sequence[Callable[[Json], Reply]] = (
            self._once,
            self._twice_at_once,
            self._once_more_after_a_lost_answer,
            self._with_a_late_copy,
        )

    def send(self, body: Json) -> Reply:
        """The answer that the client sees."""
        reply = self._chance.choice(self._ways)(body)
        if self._late and self._chance.random() < 0.5:
            self._once(self._late.pop(self._chance.randrange(len(self._late))))
        return reply

    def send_all(self, bodies: Sequence[Json]) -> None:
        """Send several without waiting for an answer in between: they arrive in any order."""
        shuffled = list(bodies)
        self._chance.shuffle(shuffled)
        at_once(*(partial(self._once, body) for body in shuffled))

    def look(self) -> Json:
        """The game as it is now."""
        found: Json = self._api.get(self._game).json
        return found

    def deliver_late(self) -> None:
        """Whatever is still on its way arrives."""
        while self._late:
            self._once(self._late.pop())

    def _once(self, body: Json) -> Reply:
        reply = self._api.post(self._path, body)
        with self._guard:
            self.heard.append(Exchange(body, reply))
        return reply

    def _twice_at_once(self, body: Json) -> Reply:
        return at_once(*[partial(self._once, body)] * 2)[0]

    def _once_more_after_a_lost_answer(self, body: Json) -> Reply:
        self._hang_up(body)
        return self._once(body)

    def _with_a_late_copy(self, body: Json) -> Reply:
        self._late.append(body)
        return self._once(body)

    def _hang_up(self, body: Json) -> None:
        """Send and close the connection at once: whether and when it arrives, nobody here learns."""
        connection = HTTPConnection(urlsplit(self._api.url).netloc, timeout=15)
        headers = {"Authorization": f"Bearer {self._api.token}", "Content-Type": "application/json"}
        connection.request("POST", self._path, orjson.dumps(body), headers)
        connection.close()


def at_once(*calls: Callable[[], T]) -> list[T]:
    """What `calls` return, each made by a thread of its own, all let go at the same moment."""
    gate = threading.Barrier(len(calls))
    found: dict[int, T] = {}
    errors: list[BaseException] = []

    def run(number: int, call: Callable[[], T]) -> None:
        try:
            gate.wait(30)
            found[number] = call()
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=run, args=it, daemon=True) for it in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]
    return [found[number] for number in range(len(calls))]
