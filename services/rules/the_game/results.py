"""Owns the result of a game: its confirmation, and how the cards left are rated."""

from dataclasses import dataclass, replace
from typing import Literal

from services.rules.the_game.actions import Action
from services.rules.the_game.options import Options
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.state import State

EXCELLENT_BELOW = 10


@dataclass(frozen=True, slots=True)
class Result:
    """What the group reached together; `remaining` counts the cards not played."""

    outcome: Literal["win", "loss"]
    remaining: int
    rating: Literal["perfect", "excellent", "counted"]


def refuse_confirm(options: Options, state: State, action: Action) -> Refusal | None:
    """Why there is no result to confirm, or None."""
    return "no_result_to_confirm" if state.status == "playing" else None


def confirm(options: Options, state: State, action: Action) -> State:
    """The table of a finished game."""
    return replace(state, status="finished")


def result(state: State) -> Result | None:
    """The confirmed result, or None while the game is open."""
    if state.status != "finished":
        return None
    remaining = state.remaining
    if not remaining:
        return Result("win", remaining, "perfect")
    return Result("loss", remaining, "excellent" if remaining < EXCELLENT_BELOW else "counted")
