"""Owns the computing of the yardstick: every row's games over several processes, and the text of its file."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from services.rules.the_game.options import MINIMA, STARTING_HANDS, Options
from services.rules.the_game.simulation.figures import figures, histogram
from services.rules.the_game.simulation.simulator import simulate
from services.rules.the_game.simulation.strategies import STRATEGIES

GAMES_AT_ONCE = 500
FIRST_GAMES = 20

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy at one kind of table; the first seat starts."""

    strategy: str
    options: Options

    def seed(self, seed: int, part: int) -> str:
        """The seed of one part of the row's games, from the seed of the whole run."""
        kind = f"{self.options.players} {self.options.difficulty} {self.options.reduced_hand}"
        return f"{seed} {self.strategy} {kind} {part}"

    def as_json(self) -> Json:
        return {
            "strategy": self.strategy,
            "players": self.options.players,
            "difficulty": self.options.difficulty,
            "reduced_hand": self.options.reduced_hand,
        }


def rows() -> Iterator[Row]:
    """Every row of the yardstick, in the order of its file."""
    for strategy in STRATEGIES:
        for difficulty in MINIMA:
            for is_reduced in (False, True):
                for players in STARTING_HANDS:
                    yield Row(strategy, Options(players, difficulty, is_reduced))


def first_games(row: Row, seed: int, games: int) -> list[int]:
    """Cards left in the first games of a row, at most one part."""
    return simulate(row.options, STRATEGIES[row.strategy], games, row.seed(seed, 0))


def compute(games: int, seed: int, processes: int, progress: Callable[[Json], None]) -> list[Json]:
    """All rows with their figures over so many games; `progress` is told each row as it comes.

    The figures depend on `games` and `seed` alone. `first` has the cards left in the first games of the row,
    to show that the same seed still plays the same games.
    """
    computed = []
    parts = [min(GAMES_AT_ONCE, games - first) for first in range(0, games, GAMES_AT_ONCE)]
    with ProcessPoolExecutor(processes) as pool:
        for row in rows():
            seeds = [row.seed(seed, part) for part in range(len(parts))]
            played = pool.map(_part, [row] * len(parts), parts, seeds)
            remaining = [left for part in played for left in part]
            found = row.as_json() | figures(histogram(remaining)) | {"first": remaining[:FIRST_GAMES]}
            computed.append(found)
            progress(found)
    return computed


def text(about: Json, computed: list[Json]) -> str:
    """The file: what it is `about`, then one row a line."""
    head = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in about.items()]
    lines = ",\n".join(f"  {json.dumps(row)}" for row in computed)
    return "\n".join(["{", *head, ' "items": [', lines, " ]", "}"]) + "\n"


def _part(row: Row, games: int, seed: str) -> list[int]:
    return simulate(row.options, STRATEGIES[row.strategy], games, seed)
