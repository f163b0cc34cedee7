"""Owns the figures of simulated games, with their standard errors, from the histogram of the cards left."""

from collections.abc import Iterable, Sequence
from typing import Any

from services.rules.the_game.cards import COUNT
from services.rules.the_game.results import EXCELLENT_BELOW

DIGITS = 6


def histogram(remaining: Iterable[int]) -> list[int]:
    """How many games left 0, 1, … 98 cards."""
    counts = [0] * (COUNT + 1)
    for left in remaining:
        counts[left] += 1
    return counts


def figures(counts: Sequence[int]) -> dict[str, Any]:
    """The figures of two games or more, as JSON: rates are shares from 0 to 1, wins are excellent too.

    A standard error is the one of a share or of a mean over that many independent games; where a share is 0
    or 1 it is 0, and says no more than that the other did not happen in that many games.
    """
    games = sum(counts)
    total = sum(left * count for left, count in enumerate(counts))
    squares = sum(left * left * count for left, count in enumerate(counts))
    variance = (games * squares - total * total) / (games * (games - 1))
    return {
        "games": games,
        **_share("win_rate", counts[0], games),
        **_share("excellent_rate", sum(counts[:EXCELLENT_BELOW]), games),
        "mean_remaining": round(total / games, DIGITS),
        "mean_remaining_se": round((variance / games) ** 0.5, DIGITS),
        "histogram": [*counts],
    }


def _share(name: str, count: int, games: int) -> dict[str, float]:
    share = count / games
    return {name: round(share, DIGITS), f"{name}_se": round((share * (1 - share) / games) ** 0.5, DIGITS)}
