"""Devices that record without a network and bring it in later, and what becomes of what they bring."""

import socket
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import orjson

from tests.support.api import Api, Json, Reply, play
from tests.support.people import Person
from tests.support.waiting import until

COMPARED_S = 30.0
# What changes with every entry, and says nothing about the table.
MOVING = ("version", "updated_at", "redo")
Lays = Iterable[tuple[str, int]]


@dataclass(slots=True)
class Phone:
    """One device of somebody's; `story` is what it has recorded since it saw the game at version `base`."""

    api: Api
    game_id: str
    name: str
    base: int = 0
    story: list[Json] = field(default_factory=list)

    def sync(self, *more: Json) -> Reply:
        """Record `more`, and send all of it."""
        self.story += more
        return self.api.post(f"/v1/games/{self.game_id}/sync", self.body)

    def send_and_die(self) -> None:
        """Send all of it and be gone before there is an answer."""
        there = urlsplit(self.api.url)
        body = orjson.dumps(self.body)
        head = (
            f"POST /v1/games/{self.game_id}/sync HTTP/1.1\r\nHost: {there.netloc}\r\n"
            f"Authorization: Bearer {self.api.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection((there.hostname or "", there.port or 80), timeout=10) as line:
            line.sendall(head.encode() + body)

    @property
    def body(self) -> Json:
        return {"device": self.name, "base_version": self.base, "actions": self.story}

    @property
    def shown(self) -> Json:
        """The game as this device sees it with a network."""
        return read(self.api, f"/v1/games/{self.game_id}")


def phone(person: Person, game: Json, name: str) -> Phone:
    """Another device of the same person, signed in on its own, that has seen the game as it is."""
    return Phone(person.signs_in().api, game["id"], name, game["version"])


def lays(cards: Lays) -> list[Json]:
    return [play(pile, card) for pile, card in cards]


def new_ids() -> dict[str, str]:
    """An id for every label, made when it is first asked for."""
    return defaultdict(lambda: str(uuid4()))


def with_ids(actions: Iterable[Json], ids: dict[str, str]) -> list[Json]:
    """Actions that are labelled, with the id for each label; one without a label gets an id of its own."""
    return [
        {**it, "id": ids[it["id"]] if "id" in it else str(uuid4())}
        | ({"target": ids[it["target"]]} if "target" in it else {})
        for it in actions
    ]


def read(api: Api, path: str, **headers: str) -> Json:
    """The document at `path`."""
    answer = api.get(path, **headers)
    assert answer.status == 200, (path, answer.body)
    document: Json = answer.json
    return document


def told(reply: Reply) -> list[Any]:
    """Each outcome in short: its verdict, or the code that it was refused with."""
    assert reply.status in (200, 202), reply.body
    return [outcome.get("code", outcome["verdict"]) for outcome in reply.json["outcomes"]]


def path_of(opened: Reply) -> str:
    """Where the conflict lies that this answer tells of."""
    assert opened.status == 202, opened.body
    assert opened.headers["Location"] == f"/v1/conflicts/{opened.json['conflict']['id']}"
    return opened.headers["Location"]


def compared(api: Api, path: str, timeout_s: float = COMPARED_S) -> Json:
    """The conflict at `path` once it is pending no more."""
    found = until(lambda: _looked_at(read(api, path)), timeout_s, "both stories are compared")
    assert found is not None
    return found


def _looked_at(conflict: Json) -> Json | None:
    return None if conflict["status"] == "pending" else conflict


def decide(api: Api, path: str, choice: str, **more: Any) -> Reply:
    return api.post(f"{path}/decision", {"choice": choice, **more})


def decided(api: Api, path: str, choice: str, **more: Any) -> Json:
    """The game after that decision."""
    answer = decide(api, path, choice, **more)
    assert answer.status == 200, answer.body
    game: Json = answer.json
    return game


def lasting(game: Json) -> Json:
    """A game document without what every entry moves."""
    return {name: value for name, value in game.items() if name not in MOVING}


def tops(game: Json) -> list[Any]:
    return [pile["top"] for pile in game["table"]["piles"].values()]


def story_of(log: Sequence[Json]) -> list[Json]:
    """The plain actions that a log comes to, by what its entries say about themselves and nothing else."""
    found: list[Json] = []
    for entry in log:
        action = entry["action"]
        if action["type"] == "resolve":
            if entry["effective"]:
                found = [it["action"] for it in log[: action["base_version"]] if it["effective"]]
                found += action["actions"]
        elif entry["effective"]:
            found.append(action)
    return found
