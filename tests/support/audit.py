"""Owns the comparison of what clients were told with what the log says afterwards."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.api import Api, Json, Reply


@dataclass(frozen=True, slots=True)
class Exchange:
    """One `POST …/actions` with the answer that was heard."""

    body: Json
    reply: Reply

    @property
    def actions(self) -> list[Json]:
        found: list[Json] = self.body["actions"]
        return found

    @property
    def ids(self) -> set[str]:
        return {action["id"] for action in self.actions}


def replay(api: Api, game: Json, log: Sequence[Json]) -> list[Json]:
    """The table at every version by the rules alone, from 0 on: each entry of a log must be legal anew."""
    actions = [entry["action"] for entry in log]
    answer = api.post(
        f"/v1/rulesets/{game['ruleset']}/evaluate?tables=true",
        {"options": game["options"], "actions": actions},
    )
    assert answer.status == 200, answer.body
    document = answer.json
    assert [outcome["verdict"] for outcome in document["outcomes"]] == ["accepted"] * len(log)
    assert [outcome["instructions"] for outcome in document["outcomes"]] == [e["instructions"] for e in log]
    return [document["start"], *(outcome["table"] for outcome in document["outcomes"])]


def audit(game: Json, log: Sequence[Json], tables: Sequence[Json], exchanges: Iterable[Exchange]) -> None:
    """Every accepted action stands in `log` once, every answer tells the truth; `tables` as by `replay`.

    `game` is the document as it is now; `exchanges` are all answers that were heard, in any order.
    """
    assert [entry["seq"] for entry in log] == list(range(1, len(log) + 1)), "one unbroken seq"
    logged = {entry["action"]["id"]: entry for entry in log}
    assert len(logged) == len(log), "no action twice"
    assert game["version"] == len(log)
    assert game["table"] == tables[-1]
    assert [entry["effective"] for entry in log] == effective(log)
    sent: dict[str, Json] = {}
    accepted: Counter[str] = Counter()
    for exchange in exchanges:
        sent |= {action["id"]: action for action in exchange.actions}
        _check(exchange, log, tables)
        accepted.update(
            outcome["action_id"]
            for outcome in exchange.reply.json.get("outcomes", [])
            if outcome["verdict"] == "accepted"
        )
    twice = [action_id for action_id, count in accepted.items() if count > 1]
    assert not twice, "accepted more than once instead of told as a duplicate"
    for action_id, entry in logged.items():
        assert entry["action"] == _stored(sent[action_id])


def effective(log: Sequence[Json]) -> list[bool]:
    """Which entries count, worked out from a log anew."""
    standing: list[int] = []
    undone: list[int] = []
    for index, entry in enumerate(log):
        match entry["action"]["type"]:
            case "undo":
                undone.append(standing.pop())
            case "redo":
                standing.append(undone.pop())
            case _:
                standing.append(index)
                undone = []
    return [index in standing for index in range(len(log))]


def _check(exchange: Exchange, log: Sequence[Json], tables: Sequence[Json]) -> None:
    reply = exchange.reply
    assert reply.status in (200, 403, 409, 422), (reply.status, reply.body)
    document = reply.json
    if reply.status == 409:
        assert reply.code == "version_conflict"
        _check_conflict(exchange, log)
        return
    outcomes = document["outcomes"]
    if reply.status == 200:
        assert len(outcomes) == len(exchange.actions)
        told = outcomes
    else:
        *told, refused = outcomes
        assert (refused["verdict"], refused["code"]) == ("rejected", reply.code)
        assert document["index"] == len(told)
        assert document["action_id"] == refused["action_id"] == exchange.actions[len(told)]["id"]
    for action, outcome in zip(exchange.actions, told, strict=False):
        _check_told(action, outcome, log)
    assert document["version"] == document["game"]["version"]
    assert document["game"]["table"] == tables[document["version"]], "the table as it was at that version"
    assert all(outcome["seq"] <= document["version"] for outcome in told)


def _check_told(action: Json, outcome: Json, log: Sequence[Json]) -> None:
    assert outcome["verdict"] in ("accepted", "duplicate")
    entry = log[outcome["seq"] - 1]
    assert entry["action"]["id"] == outcome["action_id"] == action["id"]
    assert entry["instructions"] == outcome["instructions"]


def _check_conflict(exchange: Exchange, log: Sequence[Json]) -> None:
    """What was missed are the entries since, but for those that this very batch wrote before."""
    document = exchange.reply.json
    since, version = exchange.body.get("expected_version"), document["version"]
    if since is None:
        assert document["missed"], "a lost race tells who won it"
        since = document["missed"][0]["seq"] - 1
    between = [entry for entry in log[since:version] if entry["action"]["id"] not in exchange.ids]
    assert [_fact(entry) for entry in document["missed"]] == [_fact(entry) for entry in between[:200]]


def _fact(entry: Json) -> tuple[Any, ...]:
    return entry["seq"], entry["action"], entry["by"], entry["recorded_at"]


def _stored(action: Json) -> Json:
    return {name: value for name, value in action.items() if name != "at" and (name, value) != ("card", None)}
