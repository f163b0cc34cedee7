"""Owns the published figures of the strategy `least_step`, and the figures of games to compare with them.

The published ones come from an independent program, 400,000 games a row.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.the_game.options import Options

EXCELLENT_BELOW = 10
PUBLISHED_STRATEGY = "least_step"


@dataclass(frozen=True, slots=True)
class Row:
    """A published row: mean of cards left, and in percent the shares of wins and of fewer than ten."""

    options: Options
    mean: float
    won: float | None = None
    below_ten: float | None = None

    @property
    def name(self) -> str:
        reduced = " reduced" if self.options.reduced_hand else ""
        return f"{self.options.players} {self.options.difficulty}{reduced}"


_NORMAL = (
    (22.34, 0.945, 11.53),
    (13.63, 4.968, 44.57),
    (17.50, 2.246, 32.64),
    (12.47, 4.133, 49.02),
    (10.26, 5.090, 56.04),
)
_EXPERT = (27.60, 24.80, 33.65, 29.99, 26.93)
_EXPERT_REDUCED = (37.26, 38.84, 49.46, 47.94, 47.03)

PUBLISHED = (
    *(Row(Options(players), *figures) for players, figures in enumerate(_NORMAL, start=1)),
    *(Row(Options(players, "expert"), mean) for players, mean in enumerate(_EXPERT, start=1)),
    *(Row(Options(players, "expert", True), mean) for players, mean in enumerate(_EXPERT_REDUCED, start=1)),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """What many games came to: cards left, and in percent the shares of wins and of fewer than ten."""

    games: int
    mean: float
    deviation: float
    won: float
    below_ten: float
    quartiles: tuple[int, int, int]

    @property
    def mean_error(self) -> float:
        """Standard error of the mean."""
        return float(self.deviation / self.games**0.5)


def share_error(percent: float, games: int) -> float:
    """Standard error, in points, of a share that is `percent` in truth, seen over this many games."""
    return float((percent * (100 - percent) / games) ** 0.5)


def figures(remaining: Sequence[int]) -> Figures:
    """The figures of games by their cards left; quartiles are the smallest value whose share reaches each."""
    games, ordered = len(remaining), sorted(remaining)
    first, second, third = (ordered[-(-games * quarter // 4) - 1] for quarter in (1, 2, 3))
    return Figures(
        games=games,
        mean=statistics.fmean(remaining),
        deviation=statistics.pstdev(remaining),
        won=100 * remaining.count(0) / games,
        below_ten=100 * sum(left < EXCELLENT_BELOW for left in remaining) / games,
        quartiles=(first, second, third),
    )
