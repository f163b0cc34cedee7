"""Complete games as they were played, kept as data: players, options, actions and the final table."""

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from gateway.client.actions import new_id
from gateway.client.contract import Action, Game, Options

NAMES = ("four-piles", "won-3-normal")


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded game, won; `final` is the table at its end with each pile's top alone."""

    name: str
    players: list[str]
    options: Options
    actions: list[Action]
    final: dict[str, Any]

    def fresh_actions(self) -> list[Action]:
        """The actions with new ids, to be sent to a new game."""
        return [Action(**{**action, "id": new_id()}) for action in self.actions]


def load(name: str) -> Recording:
    """The recording with one of `NAMES`."""
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    return Recording(**json.loads(text))


def turns(actions: list[Action]) -> list[list[Action]]:
    """`actions` cut after each end of a turn."""
    cut: list[list[Action]] = [[]]
    for action in actions:
        cut[-1].append(action)
        if action["type"] == "end_turn":
            cut.append([])
    return [turn for turn in cut if turn]


def differences(recording: Recording, game: Game) -> list[str]:
    """What `game` says otherwise than the recording's end; nothing when it went as recorded."""
    found = []
    result = game["result"]
    reached = (result["outcome"], result["remaining"]) if result else None
    if reached != ("win", 0):
        found.append(f"result is {reached}, recorded ('win', 0)")
    if game["version"] != len(recording.actions):
        found.append(f"version is {game['version']}, recorded {len(recording.actions)}")
    table: dict[str, Any] = {**game["table"]}
    table["piles"] = {name: pile["top"] for name, pile in game["table"]["piles"].items()}
    found += [
        f"{field} is {table.get(field)}, recorded {value}"
        for field, value in recording.final.items()
        if table.get(field) != value
    ]
    return found
