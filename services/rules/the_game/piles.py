"""Owns the four piles: their names and directions, and which cards may follow which top."""

from dataclasses import dataclass
from functools import cache

from services.rules.the_game.cards import ALL, HIGHEST, LOWEST

NAMES = ("up1", "up2", "down1", "down2")
RISING = (True, True, False, False)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
STEP_BACK = 10
FLOOR = LOWEST - 1
CEILING = HIGHEST + 1


@dataclass(frozen=True, slots=True)
class Pile:
    """Its top, None when unknown, and the set of cards that may lie there (the top alone when known)."""

    top: int | None
    possible: int


def fresh(rising: bool) -> Pile:
    """A pile without cards: 1 lies on a rising one, 100 on a falling one."""
    return topped(untouched(rising))


def untouched(rising: bool) -> int:
    """What is seen on a pile without cards."""
    return FLOOR if rising else CEILING


@cache
def topped(card: int) -> Pile:
    """A pile on which this card is seen."""
    return Pile(card, 1 << card)


def _followers(rising: bool, top: int) -> int:
    above = ALL >> (top + 1) << (top + 1)
    below = ALL & ((1 << top) - 1)
    if rising:
        return above | (ALL & (1 << top >> STEP_BACK))
    return below | (ALL & (1 << top << STEP_BACK))


_AFTER = {rising: tuple(_followers(rising, top) for top in range(CEILING + 1)) for rising in (True, False)}


def followers(rising: bool, top: int) -> int:
    """The set of cards that may follow `top`: beyond it, or exactly ten back."""
    return _AFTER[rising][top]
