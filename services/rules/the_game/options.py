"""Owns the options of a game: which there are, what each may be, and the hand and minimum that follow."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.malformed import Malformed

STARTING_HANDS = {1: 8, 2: 7, 3: 6, 4: 6, 5: 6}
MINIMA = {"normal": 2, "expert": 3}
MINIMUM_WITHOUT_DECK = 1

CHOICES: Mapping[str, tuple[int | str, ...]] = {
    "players": (1, 2, 3, 4, 5),
    "difficulty": ("normal", "expert"),
    "reduced_hand": (False, True),
    "first_seat": (0, 1, 2, 3, 4),
}


@dataclass(frozen=True, slots=True)
class Options:
    """What a group agrees on before the first card; seats are counted from 0."""

    players: int
    difficulty: str = "normal"
    reduced_hand: bool = False
    first_seat: int = 0

    @property
    def starting_hand(self) -> int:
        """Cards in a full hand."""
        return STARTING_HANDS[self.players] - self.reduced_hand

    def minimum(self, deck: int) -> int:
        """Cards owed in a turn that starts with this many cards in the deck."""
        return MINIMA[self.difficulty] if deck else MINIMUM_WITHOUT_DECK


def read_options(value: object) -> Options:
    """Options from JSON; those left out have their defaults. Raises Malformed with the errors by option."""
    if not isinstance(value, Mapping):
        raise Malformed({"options": ["Not an object."]})
    errors = {name: ["Unknown field."] for name in value if name not in CHOICES}
    for name, choices in CHOICES.items():
        if name in value and not _is_one_of(value[name], choices):
            errors[name] = [f"Must be one of: {', '.join(map(str, choices))}."]
    if "players" not in value:
        errors["players"] = ["Missing data for required field."]
    if errors:
        raise Malformed({"options": errors})
    options = Options(**value)
    if options.first_seat >= options.players:
        raise Malformed({"options": {"first_seat": ["Must be the seat of a player: less than players."]}})
    return options


def _is_one_of(value: object, choices: tuple[int | str, ...]) -> bool:
    return type(value) is type(choices[0]) and value in choices
