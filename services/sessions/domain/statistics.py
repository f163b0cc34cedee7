"""How a group of games went, as statistics give it: exact where counted, with intervals where it is a sample.

The names and the two bounds (none left is a win, fewer than ten is excellent) are those of the public
contract; no game is judged by them here.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import sqrt
from operator import mul
from typing import Any

from services.sessions.domain.questions import Group

NUMBERS = 99  # from none left to all of 98
EXCELLENT_BELOW = 10
QUANTILES = {"q05": 5, "q25": 25, "q50": 50, "q75": 75, "q95": 95}  # percent
Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations
Interval = tuple[float, float]
SQUARES = [number * number for number in range(NUMBERS)]


def document(group: Group) -> dict[str, Any]:
    """The figures of a group; without games, zeros and nulls."""
    counts = group.counts
    games, wins, excellent = sum(counts), sum(counts[:1]), sum(counts[:EXCELLENT_BELOW])
    left = sum(map(mul, counts, range(NUMBERS)))
    return {
        "games": games,
        "wins": wins,
        "win_rate": _mean(wins, games),
        "win_rate_interval": wilson(wins, games),
        "excellent": excellent,
        "excellent_rate": _mean(excellent, games),
        "excellent_rate_interval": wilson(excellent, games),
        "mean_remaining": _mean(left, games),
        "mean_remaining_interval": mean_interval(games, left, sum(map(mul, counts, SQUARES))),
        "quantiles": quantiles(counts),
        "histogram": [*counts, *(0,) * (NUMBERS - len(counts))],
        "mean_turns": _mean(group.sums.get("turns", 0), games),
        "back_tens": _mean(group.sums.get("back_tens", 0), games),
        "mean_duration_s": _mean(group.sums.get("duration_s", 0), games),
    }


def quantiles(counts: Sequence[int]) -> dict[str, int | None]:
    """For each of `QUANTILES` the smallest value whose share of all, with those below it, reaches it.

    `counts` has how often there is 0, 1, 2 …
    """
    reached = list(accumulate(counts))
    total = reached[-1] if reached else 0
    if not total:
        return dict.fromkeys(QUANTILES)
    return {name: bisect_left(reached, -(-percent * total // 100)) for name, percent in QUANTILES.items()}


def wilson(successes: int, trials: int) -> Interval | None:
    """The 95 % score interval of a proportion (Wilson 1927); None without trials."""
    if not trials:
        return None
    rate, square = successes / trials, Z * Z
    scale = 1 + square / trials
    middle = (rate + square / (2 * trials)) / scale
    half = Z * sqrt(rate * (1 - rate) / trials + square / (4 * trials * trials)) / scale
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    # Exact at the ends, where rounding would leave a trace.
    return (0.0 if not successes else low, 1.0 if successes == trials else high)


def mean_interval(count: int, total: int, squares: int) -> Interval | None:
    """The normal 95 % interval of the mean of numbers from 0 on; None below two.

    They are given by how many there are, their sum and the sum of their squares.
    """
    if count < 2:
        return None
    variance = (count * squares - total * total) / (count * (count - 1))
    half = Z * sqrt(variance / count)
    return (max(0.0, total / count - half), total / count + half)


def _mean(total: int, count: int) -> float | None:
    return total / count if count else None
