"""Owns the physical acts that an accepted action asks of the people at the table."""

from typing import Any

from services.rules.the_game.actions import Action
from services.rules.the_game.state import State

Instruction = dict[str, Any]


def forward(before: State, action: Action, after: State) -> list[Instruction]:
    """What to do when `action` led from `before` to `after`."""
    if action.type == "draw":
        return [{"kind": "draw", "seat": before.seat, "count": before.deck - after.deck}]
    if action.type in ("end_turn", "adopt", "resolve"):
        return turn_of(after)
    if action.type == "identify":
        return []
    return [{"kind": "result"}] if after.status != "playing" else []


def backward(before: State, action: Action, after: State) -> list[Instruction]:
    """What to do when the `action` that led from `before` to `after` is taken back."""
    if action.type == "play":
        card = {} if action.card is None else {"card": action.card}
        return [{"kind": "take_back", "seat": before.seat, "pile": action.pile, **card}]
    if action.type == "draw":
        return [{"kind": "return_cards", "seat": before.seat, "count": before.deck - after.deck}]
    if action.type in ("end_turn", "adopt", "rewind", "resolve"):
        return turn_of(before)
    return []


def turn_of(state: State) -> list[Instruction]:
    """Whose turn it is, or that there is a result to look at."""
    if state.status != "playing":
        return [{"kind": "result"}]
    return [{"kind": "next_player", "seat": state.seat}]
