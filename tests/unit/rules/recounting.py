"""Owns another count of what a summary counts: from the tables after the actions, not from the story."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.rules.the_game import ruleset
from services.rules.the_game.piles import NAMES
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, Json


@dataclass(frozen=True)
class Step:
    """An action that counts, and the tables before and after it."""

    action: Json
    before: Json
    after: Json


@dataclass
class Record:
    """The steps that count after each action of a log, undone ones kept for redo."""

    steps: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)

    def add(self, action: Json, before: Json, after: Json) -> None:
        if action["type"] == "undo":
            self.undone.append(self.steps.pop())
        elif action["type"] == "redo":
            self.steps.append(self.undone.pop())
        else:
            self.steps.append(Step(action, before, after))
            self.undone.clear()


def recounts(options: Json, actions: Sequence[Json]) -> Iterator[Json | None]:
    """The summary after each action of clients but identify, None while there is no result."""
    answer = ruleset.evaluate(options, list(actions), tables=True)
    seen, record = answer["start"], Record()
    for action, outcome in zip(actions, answer["outcomes"], strict=True):
        if outcome["verdict"] == "accepted":
            record.add(action, seen, outcome["table"])
            seen = outcome["table"]
        yield recount(options, record.steps, seen) if seen["status"] == "finished" else None


def recount(options: Json, steps: Sequence[Step], seen: Json) -> Json:
    """The summary of the game with these steps, whose last table is `seen`."""
    plays = [step for step in steps if step.action["type"] == "play"]
    turns = {step.before["turn"]: 0 for step in steps if step.action["type"] in ("play", "block")}
    for play in plays:
        turns[play.before["turn"]] += 1
    back, jumps = dict.fromkeys(NAMES, 0), []
    for play in plays:
        pile = play.action["pile"]
        below, top = (table["piles"][pile]["top"] for table in (play.before, play.after))
        if below is not None and top is not None:
            is_back = (top - below) == {"up": -10, "down": 10}[play.after["piles"][pile]["direction"]]
            back[pile] += is_back
            jumps += [] if is_back else [abs(top - below)]
    blocks = [step.before["active_seat"] for step in steps if step.action["type"] == "block"]
    left = seen["deck"] + sum(seen["hands"])
    return {
        **options,
        "outcome": "loss" if left else "win",
        "remaining": left,
        "rating": "perfect" if not left else "excellent" if left < 10 else "counted",
        "turns": len(turns),
        "plays_per_turn": [turns[number] for number in sorted(turns)],
        "back_tens": back,
        "largest_jump": max(jumps) if jumps else None,
        "control": "partial" if any(play.action.get("card") is None for play in plays) else "full",
        "deck": seen["deck"],
        "hands": seen["hands"],
        "blocked_by": blocks[-1] if blocks else None,
        "rules_version": ruleset.VERSION,
    }


def accepted(options: Json, actions: Sequence[Json]) -> list[Json]:
    """The actions of clients that are accepted in turn: the log that they leave."""
    outcomes = ruleset.evaluate(options, list(actions), tables=False)["outcomes"]
    both = zip(actions, outcomes, strict=True)
    return [action for action, outcome in both if outcome["verdict"] == "accepted"]


def ending(options: Json, log: Sequence[Json]) -> list[Json]:
    """What ends the game of a log as soon as it can be: a block, and the confirmation; nothing if it is."""
    found: list[Json] = []
    seen = ruleset.answer(options, None, list(log), [], tables=False)
    while seen["table"]["status"] != "finished":
        found.append(_ending(seen["table"]))
        seen = ruleset.answer(options, seen["state"], None, found[-1:], tables=False)
    return found


def _ending(seen: dict[str, Any]) -> Json:
    if seen["status"] != "playing":
        return dict(CONFIRM)
    if seen["played_this_turn"] < seen["minimum"]:
        return dict(BLOCK)
    return dict(DRAW if seen["to_draw"] else END)
