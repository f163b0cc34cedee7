"""Owns sets of cards: an int whose bit n stands for card n, so that a whole deck is judged in one step."""

from typing import TypeGuard

LOWEST = 2
HIGHEST = 99
COUNT = HIGHEST - LOWEST + 1
ALL = (1 << HIGHEST + 1) - (1 << LOWEST)

_BYTES = 13
_LISTED = tuple(
    tuple(tuple(8 * place + bit for bit in range(8) if value >> bit & 1) for value in range(256))
    for place in range(_BYTES)
)


def listed(cards: int) -> list[int]:
    """The cards of a set in rising order."""
    numbers: list[int] = []
    if not cards:
        return numbers
    for row, value in zip(_LISTED, cards.to_bytes(_BYTES, "little"), strict=True):
        numbers += row[value]
    return numbers


def is_card(value: object) -> TypeGuard[int]:
    """True for an integer from 2 to 99; a boolean, a string or 7.0 is none."""
    return type(value) is int and LOWEST <= value <= HIGHEST
