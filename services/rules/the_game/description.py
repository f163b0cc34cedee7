"""Owns the description of the ruleset, as data: options, cards, piles, hands, actions and refusals."""

from typing import Any

from services.rules.the_game.cards import COUNT, HIGHEST, LOWEST
from services.rules.the_game.options import CHOICES, MINIMA, MINIMUM_WITHOUT_DECK, STARTING_HANDS, Options
from services.rules.the_game.piles import NAMES, RISING, STEP_BACK, fresh
from services.rules.the_game.refusals import REFUSALS, WARNINGS
from shared.contracts.actions import FIELDS


def describe() -> dict[str, Any]:
    """What a client needs to offer the game; hand sizes are by players, the minimum by difficulty."""
    return {
        "options": {name: _choice(name, values) for name, values in CHOICES.items()},
        "cards": {"lowest": LOWEST, "highest": HIGHEST, "count": COUNT},
        "step_back": STEP_BACK,
        "piles": [
            {"id": name, "direction": "up" if rising else "down", "start": fresh(rising).top}
            for name, rising in zip(NAMES, RISING, strict=True)
        ],
        "hand_sizes": {
            "normal": {str(players): Options(players).starting_hand for players in STARTING_HANDS},
            "reduced": {
                str(players): Options(players, reduced_hand=True).starting_hand for players in STARTING_HANDS
            },
        },
        "minimum": {**MINIMA, "empty_deck": MINIMUM_WITHOUT_DECK},
        "actions": {type_: sorted(fields) for type_, fields in FIELDS.items()},
        "refusals": list(REFUSALS),
        "warnings": list(WARNINGS),
    }


def _choice(name: str, values: tuple[int | str, ...]) -> dict[str, Any]:
    is_required = name == "players"
    return {"values": list(values), **({} if is_required else {"default": values[0]})}
