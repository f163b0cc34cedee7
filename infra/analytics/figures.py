"""Questions to an export of finished games, asked with DuckDB: `results` is the Parquet file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

REMAINING = """
    SELECT players, difficulty, remaining, count(*) AS games
    FROM results GROUP BY ALL ORDER BY players, difficulty, remaining
"""
MONTHS = """
    SELECT date_trunc('month', confirmed_at AT TIME ZONE 'UTC') AS month, difficulty, count(*) AS games,
        avg(remaining) AS mean, 1.96 * stddev_samp(remaining) / sqrt(count(*)) AS half_interval
    FROM results GROUP BY ALL HAVING count(*) > 1 ORDER BY month, difficulty
"""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Games by the number of cards left, 0 to 98."""

    players: int
    difficulty: str
    games_by_remaining: Sequence[int]

    @property
    def games(self) -> int:
        return sum(self.games_by_remaining)


@dataclass(frozen=True, slots=True)
class Month:
    """A UTC month's mean of cards left, and half the width of its 95 % interval."""

    month: Any
    difficulty: str
    games: int
    mean: float
    half_interval: float


def distributions(export: Path) -> list[Distribution]:
    """One for each number of players and difficulty that there are games of."""
    found: dict[tuple[int, str], list[int]] = {}
    for players, difficulty, remaining, games in _asked(export, REMAINING):
        found.setdefault((players, difficulty), [0] * 99)[remaining] = games
    return [Distribution(*key, counts) for key, counts in found.items()]


def months(export: Path) -> list[Month]:
    """Those with two games or more, in order."""
    return [Month(*row) for row in _asked(export, MONTHS)]


def _asked(export: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as database:
        database.from_parquet(str(export)).create_view("results")
        return database.execute(query).fetchall()
