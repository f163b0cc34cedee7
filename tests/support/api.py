"""The public API without the comforts of the client: every request as the test words it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import orjson
import urllib3

from tests.support.waiting import until

Json = dict[str, Any]
PASSWORD = "correct horse battery"
SOON_S = 5


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came."""

    status: int
    headers: urllib3.HTTPHeaderDict
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem document, whose shape is checked on the way."""
        assert self.headers["Content-Type"] == "application/problem+json", (self.status, self.body[:200])
        document = self.json
        assert document["status"] == self.status
        assert document["type"] == f"/problems/{document['code']}"
        assert document["title"]
        assert document["detail"]
        assert document["request_id"] == self.headers["X-Request-Id"]
        return str(document["code"])


class Api:
    """A gateway's address with, perhaps, an access token."""

    def __init__(self, url: str, token: str | None = None, pool: urllib3.PoolManager | None = None) -> None:
        self.url = url
        self.token = token
        self._pool = pool or urllib3.PoolManager(maxsize=16, retries=False, timeout=15)

    def call(
        self, method: str, path: str, json: Any = None, *, body: bytes | None = None, **headers: str
    ) -> Reply:
        """One request; `headers` with underscores for hyphens. A live stream is left as soon as it begins."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if json is not None:
            body = orjson.dumps(json)
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        answer = self._pool.request(
            method, self.url + path, body=body, headers=sent, redirect=False, preload_content=False
        )
        if answer.headers.get("Content-Type", "").startswith("text/event-stream"):
            answer.close()  # it would never end
            return Reply(answer.status, answer.headers, b"")
        return Reply(answer.status, answer.headers, answer.data)

    def get(self, path: str, **headers: str) -> Reply:
        return self.call("GET", path, **headers)

    def post(self, path: str, json: Any = None, **headers: str) -> Reply:
        return self.call("POST", path, {} if json is None else json, **headers)


def patiently(ask: Callable[[], Reply]) -> Reply:
    """What `ask` is answered, asked again while it comes too fast; a longer ban is an answer."""
    answers: list[Reply] = []

    def answered() -> bool:
        answers.append(ask())
        return answers[-1].status != 429 or int(answers[-1].headers["Retry-After"]) > SOON_S

    until(answered, 60, "slow enough")
    return answers[-1]


def sign_up(url: str) -> Api:
    """A new account's API."""
    answer = Api(url).post("/v1/accounts", {"email": f"{uuid4().hex}@example.org", "password": PASSWORD})
    assert answer.status == 201, answer.body
    return Api(url, answer.json["access_token"])


def new_game(api: Api, players: int = 2, **options: Any) -> Json:
    """A game with that many free names."""
    names = [{"name": f"Player {number}"} for number in range(1, players + 1)]
    answer = api.post("/v1/games", {"ruleset": "the-game", "options": options, "players": names})
    assert answer.status == 201, answer.body
    game: Json = answer.json
    return game


def action(kind: str, **fields: Any) -> Json:
    """An action with an id of its own."""
    return {"id": str(uuid4()), "type": kind, **fields}


def play(pile: str, card: int | None = None, **fields: Any) -> Json:
    """A play, without a value when `card` is None."""
    return action("play", pile=pile, **({} if card is None else {"card": card}), **fields)


def send(api: Api, game: Json | str, actions: Iterable[Json], **body: Any) -> Reply:
    """Send actions to a game."""
    game_id = game if isinstance(game, str) else game["id"]
    return api.post(f"/v1/games/{game_id}/actions", {"actions": list(actions), **body})


def whole_log(api: Api, game_id: str) -> list[Json]:
    """The log from its start, through NDJSON."""
    answer = api.get(f"/v1/games/{game_id}/log", Accept="application/x-ndjson")
    assert answer.status == 200, answer.body
    return [orjson.loads(line) for line in answer.body.splitlines()]
