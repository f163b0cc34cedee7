"""Owns the long run of the simulator: every published row over many games, beside what was published."""

import os
import sys
from concurrent.futures import ProcessPoolExecutor

import click

from services.rules.the_game.options import Options
from services.rules.the_game.simulation.simulator import simulate
from services.rules.the_game.simulation.strategies import STRATEGIES
from tests.support.figures import PUBLISHED, PUBLISHED_STRATEGY, Figures, Row, figures, share_error

GAMES_AT_ONCE = 500
LIMIT = 4.0
LINE = "{:18} {:>9} {:>9} {:>6} {:>7} {:>7} {:>6} {:>7} {:>7} {:>6}  {}"


@click.command()
@click.option("--games", default=20_000, show_default=True, help="Games a row.")
@click.option("--seed", default=98, show_default=True, help="The same seed plays the same games.")
@click.option("--processes", type=int, default=os.cpu_count, help="Processes to spread them over.")
def main(games: int, seed: int, processes: int) -> None:
    """Play the published strategy and compare; `z` counts standard errors, fails above 4."""
    print(
        LINE.format(
            "row", "mean", "published", "z", "<10 %", "publ.", "z", "win %", "publ.", "z", "quartiles"
        )
    )
    worst = 0.0
    with ProcessPoolExecutor(processes) as pool:
        for number, row in enumerate(PUBLISHED):
            parts = [min(GAMES_AT_ONCE, games - first) for first in range(0, games, GAMES_AT_ONCE)]
            seeds = [f"{seed} {number} {part}" for part in range(len(parts))]
            played = pool.map(_part, [row.options] * len(parts), parts, seeds)
            worst = max(worst, _report(row, figures([left for part in played for left in part])))
    if worst > LIMIT:
        sys.exit(f"off by {worst:.1f} standard errors")


def _part(options: Options, games: int, seed: str) -> list[int]:
    return simulate(options, STRATEGIES[PUBLISHED_STRATEGY], games, seed)


def _report(row: Row, seen: Figures) -> float:
    """Print one row; the largest distance in standard errors."""
    distances = [
        (seen.mean - row.mean) / seen.mean_error,
        _share_distance(seen.below_ten, row.below_ten, seen.games),
        _share_distance(seen.won, row.won, seen.games),
    ]
    values = (seen.mean, row.mean, seen.below_ten, row.below_ten, seen.won, row.won)
    mean, mean_published, below, below_published, won, won_published = map(_figure, values)
    z_mean, z_below, z_won = map(_figure, distances)
    quartiles = "/".join(map(str, seen.quartiles))
    print(
        LINE.format(
            row.name,
            *(mean, mean_published, z_mean),
            *(below, below_published, z_below),
            *(won, won_published, z_won),
            quartiles,
        ),
        flush=True,
    )
    return max(abs(distance) for distance in distances if distance is not None)


def _share_distance(percent: float, published: float | None, games: int) -> float | None:
    return None if published is None else (percent - published) / share_error(published, games)


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


if __name__ == "__main__":
    main()
