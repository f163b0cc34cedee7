"""Owns the physical acts that an accepted action asks of the people at the table."""

from typing import Any

from services.rules.the_game.actions import Action
from services.rules.the_game.state import State

Instruction = dict[str, Any]


def forward(before: State, action: Action, after: State) -> list[Instruction]:
    """What to do when `action` led from `before` to `after`."""
    if action.type == "draw":
        return [{"kind": "draw", "seat": before.seat, "count": before.deck - after.deck}]
    if action.type == "end_turn":
        return [{"kind": "next_player", "seat": after.seat}]
    return [{"kind": "result"}] if after.status != "playing" else []


def backward(before: State, action: Action, after: State) -> list[Instruction]:
    """What to do when the `action` that led from `before` to `after` is taken back."""
    if action.type == "play":
        card = {} if action.card is None else {"card": action.card}
        return [{"kind": "take_back", "seat": before.seat, "pile": action.pile, **card}]
    if action.type == "draw":
        return [{"kind": "return_cards", "seat": before.seat, "count": before.deck - after.deck}]
    if action.type == "end_turn":
        return [{"kind": "next_player", "seat": before.seat}]
    return []
