"""The log with what there was to see after each entry, over HTTP: the same as the game at each version."""

import random
from typing import Any
from uuid import UUID

import orjson
import pytest

from services.sessions.adapters.rules import Rules
from services.sessions.application.games import RECALLED_AT_ONCE
from services.sessions.application.play import MISSED_LIMIT
from shared.bus.requests import NoAnswer, Requests
from tests.integration.sessions.served import Owner, Served, is_refused
from tests.integration.sessions.world import World
from tests.support.api import Json, action
from tests.support.moves import bring_back, next_action, take_back, whole_turn

NDJSON = "application/x-ndjson"


class Line:
    """The way to the rules, with what was asked; it can be cut."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self.asked: list[Json] = []
        self.is_cut = False

    def ask(self, body: Json, timeout_s: float) -> Json:
        self.asked.append(body)
        if self.is_cut:
            raise NoAnswer("rules.requests")
        return self._requests.ask(body, timeout_s)


@pytest.fixture
def line(rules: Requests) -> Line:
    return Line(rules)


@pytest.fixture
def owner(world: World, line: Line) -> Owner:
    world.rules = Rules(line)
    return Served(world).owner()


def played(owner: Owner, turns: int, seed: int = 7) -> Json:
    """A game played on for a while, things taken back and brought back, and its end confirmed twice."""
    chance = random.Random(seed)
    game: Json = owner.call("GET", owner.game).json
    for number in range(turns):
        batch = whole_turn(game, chance)
        if number % 5 == 4:
            batch = [take_back(game)]
        elif number % 10 == 5:
            batch = [bring_back(game)]
        game = owner.call("POST", f"{owner.game}/actions", {"actions": batch}).json["game"]
    while not game["result"]:
        ending = action("block") if game["table"]["status"] == "playing" else action("confirm")
        answer = owner.call("POST", f"{owner.game}/actions", {"actions": [ending]})
        if answer.status_code != 200:
            batch = [next_action(game, chance)]
            answer = owner.call("POST", f"{owner.game}/actions", {"actions": batch})
        game = answer.json["game"]
    reopened = [take_back(game), action("redo", target=game["undo"]["target"])]
    return owner.call("POST", f"{owner.game}/actions", {"actions": reopened}).json["game"]


def read(owner: Owner, query: str = "") -> list[Json]:
    answer = owner.call("GET", f"{owner.game}/log?tables=true&{query}")
    assert answer.status_code == 200, answer.data
    items: list[Json] = answer.json["items"]
    return items


def lines(owner: Owner, query: str = "tables=true") -> list[Json]:
    answer = owner.call("GET", f"{owner.game}/log?{query}", Accept=NDJSON)
    assert answer.headers["Content-Type"] == NDJSON
    return [orjson.loads(one) for one in answer.data.splitlines()]


def test_each_entry_shows_the_game_as_it_was_at_its_version(owner: Owner) -> None:
    game = played(owner, 24)
    entries = read(owner, "limit=200")
    assert [entry["seq"] for entry in entries] == list(range(1, game["version"] + 1))
    for entry in entries:
        then = owner.call("GET", f"{owner.game}?at={entry['seq']}").json
        assert (entry["table"], entry["result"]) == (then["table"], then["result"])
        if entry["result"]:
            assert entry["result"]["confirmed_at"] == entry["recorded_at"]
    assert sum(entry["result"] is not None for entry in entries) == 2
    assert entries[-1]["table"] == game["table"]
    assert entries[-1]["result"] == game["result"]
    assert lines(owner) == entries


def test_a_page_shows_the_same_as_the_whole_and_asks_the_rules_once(owner: Owner, line: Line) -> None:
    version = played(owner, 12)["version"]
    whole = read(owner, "limit=200")
    for after in range(version + 1):
        line.asked.clear()
        page = read(owner, f"after={after}&limit=3")
        assert page == whole[after : after + 3]
        assert len(line.asked) == (1 if page else 0)
        if page:
            assert len(line.asked[0]["log"]) <= page[-1]["seq"] + 1
    line.asked.clear()
    assert read(owner, f"after={version}") == []
    assert lines(owner, f"tables=1&after={version}") == []
    assert line.asked == []


def test_nobody_who_asks_for_no_tables_waits_for_the_rules(owner: Owner, line: Line) -> None:
    played(owner, 3)
    line.asked.clear()
    for query in ("", "?tables=false", "?tables=0"):
        items = owner.call("GET", f"{owner.game}/log{query}").json["items"]
        assert items
        assert not {"table", "result"} & {name for entry in items for name in entry}
    assert lines(owner, "") == items
    assert line.asked == []


def test_a_single_action_asks_for_no_tables_and_a_few_do(owner: Owner, line: Line) -> None:
    def asked_with(actions: int) -> Any:
        line.asked.clear()
        owner.call("POST", f"{owner.game}/actions", {"actions": [action("draw") for _ in range(actions)]})
        return line.asked[-1].get("tables")

    assert [asked_with(actions) for actions in (1, 2, 16, 17)] == [None, True, True, None]


def test_a_log_of_many_entries_comes_whole_in_few_requests(owner: Owner, line: Line) -> None:
    batch: list[Json] = []
    while len(batch) < RECALLED_AT_ONCE + 10:
        block = action("block")
        batch += [block, action("undo", target=block["id"])]
    for start in range(0, len(batch), 200):
        answer = owner.call("POST", f"{owner.game}/actions", {"actions": batch[start : start + 200]})
        assert answer.status_code == 200, answer.data
    line.asked.clear()
    entries = lines(owner)
    assert [entry["action"] for entry in entries] == batch
    assert [entry["table"]["status"] for entry in entries] == ["blocked", "playing"] * (len(batch) // 2)
    assert len(line.asked) == 2
    line.asked.clear()
    assert read(owner, f"limit={MISSED_LIMIT}") == entries[:MISSED_LIMIT]
    assert len(line.asked) == 1


@pytest.mark.parametrize("value", ["yes", "True", "", "2", "null"])
def test_tables_are_asked_for_with_true_or_not_at_all(owner: Owner, value: str) -> None:
    assert is_refused(owner.call("GET", f"{owner.game}/log?tables={value}"), 422, "validation_failed")


def test_without_the_rules_the_log_is_there_and_its_tables_are_not(owner: Owner, line: Line) -> None:
    played(owner, 2)
    line.is_cut = True
    answer = owner.call("GET", f"{owner.game}/log?tables=true")
    assert is_refused(answer, 503, "service_unavailable")
    assert answer.headers["Retry-After"]
    assert is_refused(
        owner.call("GET", f"{owner.game}/log?tables=true", Accept=NDJSON), 503, "service_unavailable"
    )
    assert owner.call("GET", f"{owner.game}/log").status_code == 200


def test_guests_see_who_entered_what_and_the_tables_too(owner: Owner, line: Line) -> None:
    recorder, viewer = owner.guest(), owner.guest("viewer")
    sent = recorder.call(
        "POST", f"{recorder.game}/actions", {"actions": [action("block")]}, X_Device="tablet"
    )
    assert sent.status_code == 200, sent.data
    answer = viewer.call("GET", f"{viewer.game}/log?tables=true")
    (entry,) = answer.json["items"]
    assert entry["by"] == {"account_id": None, "guest_id": recorder.told["guest_id"], "device": "tablet"}
    assert UUID(entry["by"]["guest_id"])
    assert entry["table"]["status"] == "blocked"
