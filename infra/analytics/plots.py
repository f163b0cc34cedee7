"""`python -m infra.analytics.plots EXPORT.parquet`: two plots of finished games, as SVG."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from matplotlib import rc_context
from matplotlib.figure import Figure

from infra.analytics.figures import Distribution, Month, distributions, months

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "analytics"
COLOURS = {"normal": "#0072b2", "expert": "#d55e00"}  # told apart by everybody
EXCELLENT_BELOW = 10
SHOWN_UP_TO = 70
# Without dates and random ids, so that the same export draws the same file.
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "ninety-eight",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


@click.command()
@click.argument("export", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=FOLDER, show_default=True)
def main(export: Path, folder: Path) -> None:
    """Draw the finished games in EXPORT, a Parquet file."""
    folder.mkdir(parents=True, exist_ok=True)
    with rc_context(STYLE):
        for name, figure in (
            ("remaining.svg", remaining_figure(distributions(export))),
            ("months.svg", months_figure(months(export))),
        ):
            figure.savefig(folder / name, metadata={"Date": None, "Creator": None})
            click.echo(f"drew {folder / name}")


def remaining_figure(found: Sequence[Distribution]) -> Figure:
    """How many cards were left, for each number of players: the share of games up to each number."""
    players = sorted({one.players for one in found})
    figure = Figure(figsize=(9, 2.6), layout="constrained")
    places = figure.subplots(1, max(1, len(players)), sharey=True, squeeze=False)[0]
    for axes, count in zip(places, players, strict=False):
        for one in found:
            if one.players == count:
                axes.step(
                    range(len(one.games_by_remaining)),
                    _shares_up_to(one),
                    where="post",
                    color=COLOURS.get(one.difficulty, "black"),
                    label=one.difficulty,
                )
        axes.axvline(EXCELLENT_BELOW, color="grey", linewidth=0.8, linestyle=":")
        axes.set_xlim(0, SHOWN_UP_TO)
        axes.set_ylim(0, 100)
        axes.set_title(f"{count} player{'s' if count > 1 else ''}")
        axes.set_xlabel("cards left")
    places[0].set_ylabel("games with at most so many, %")
    if found:
        places[-1].legend(loc="lower right", frameon=False)
    return figure


def months_figure(found: Sequence[Month]) -> Figure:
    """Cards left on average, month by month, with the 95 % interval of the mean."""
    figure = Figure(figsize=(9, 2.8), layout="constrained")
    axes = figure.subplots()
    in_order = sorted(found, key=lambda one: (one.difficulty, one.month))
    for difficulty, several in groupby(in_order, key=lambda one: one.difficulty):
        those = list(several)
        axes.errorbar(
            [one.month for one in those],
            [one.mean for one in those],
            [one.half_interval for one in those],
            color=COLOURS.get(difficulty, "black"),
            marker="o",
            markersize=3,
            capsize=2,
            linewidth=1,
            label=difficulty,
        )
    axes.set_ylim(bottom=0)
    axes.set_xlabel("month of the confirmation (UTC)")
    axes.set_ylabel("cards left on average")
    if found:
        axes.legend(loc="lower right", frameon=False, ncols=2)
    return figure


def _shares_up_to(one: Distribution) -> list[float]:
    up_to, shares = 0, []
    for games in one.games_by_remaining:
        up_to += games
        shares.append(100 * up_to / one.games)
    return shares


if __name__ == "__main__":
    main()
