"""Small pieces of text: numbers of cards, runs of cards, names that a terminal may print."""

from collections.abc import Iterable

_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"  # French sets them before its signs


def printable(text: str) -> str:
    """`text` without anything that could steer a terminal; names and details come from other people."""
    return "".join(
        sign if sign.isprintable() or sign in _SPACES else "\N{REPLACEMENT CHARACTER}" for sign in text
    )


def cards(count: int) -> str:
    """A number of cards in words: `1 card`, `2 cards`."""
    return "1 card" if count == 1 else f"{count} cards"


def runs(numbers: Iterable[int]) -> str:
    """Card numbers, three or more in a row joined: `7, 18-20, 22, 23`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(_run(run) for run in found)


def _run(run: list[int]) -> str:
    return f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run))
