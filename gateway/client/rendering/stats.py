"""Figures of finished games: a table of groups, what a strategy would have come to, and a histogram."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table as Grid
from rich.text import Text

from gateway.client.comparing import STRATEGY, Expected, apart, keys
from gateway.client.figures import Group, Grouping, Interval
from gateway.client.rendering.text import printable

HEADS = {"reduced_hand": "hand", "player": "player"}
BAR = 40
BINS = ((0, 0), (1, 4), *((low, low + 4) for low in range(5, 95, 5)), (95, 98))
MARKS = {1: "▲", -1: "▼", 0: "~"}
EXPLAINED = (
    "In brackets: where the true figure lies in 19 of 20 cases. Below: what the simple strategy {strategy}"
    " comes to over as many games of each kind; ▲ you are above it, ▼ below it, ~ so few games cannot tell."
)


def stats_view(
    by: Sequence[Grouping], groups: Sequence[Group], compared: Mapping[tuple[Any, ...], Expected]
) -> Grid:
    """A row a group, and below each that can be compared what the strategy would have come to."""
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for name in by:
        grid.add_column(HEADS.get(name, name))
    for head in ("games", "won", "excellent", "left on average", "median", "turns", "minutes"):
        grid.add_column(head, justify="right", no_wrap=True)
    for group in groups:
        grid.add_row(*map(Text, (*_named(by, group), *_figures(group))))
        beside = compared.get(keys(by, group))
        if beside is not None:
            cells = (*[""] * len(by), STRATEGY, *_expected(group, beside))
            grid.add_row(*(Text(cell, style="dim") for cell in cells))
    return grid


def histogram_view(histogram: Sequence[int]) -> Grid:
    """A bar a range of cards left, from the win to the last range that any game is in."""
    counts = [(low, high, sum(histogram[low : high + 1])) for low, high in BINS]
    while len(counts) > 1 and not counts[-1][2]:
        counts.pop()
    most = max(count for _, _, count in counts) or 1
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column("left", justify="right", no_wrap=True)
    grid.add_column("games", justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for low, high, count in counts:
        between = str(low) if low == high else f"{low}-{high}"
        grid.add_row(between, str(count), "█" * round(BAR * count / most) or ("▏" if count else ""))
    return grid


def _named(by: Sequence[Grouping], group: Group) -> list[str]:
    return [_value(name, group) for name in by]


def _value(name: Grouping, group: Group) -> str:
    if name == "reduced_hand":
        return "reduced" if group["reduced_hand"] else "full"
    if name == "player":
        return printable(group["name"] or "(no name)")
    return str(group[name])


def _figures(group: Group) -> list[str]:
    return [
        str(group["games"]),
        _share(group["win_rate"]) + _between(group["win_rate_interval"], 100),
        _share(group["excellent_rate"]) + _between(group["excellent_rate_interval"], 100),
        _number(group["mean_remaining"]) + _between(group["mean_remaining_interval"], 1),
        "-" if group["quantiles"]["q50"] is None else str(group["quantiles"]["q50"]),
        _number(group["mean_turns"]),
        "-" if group["mean_duration_s"] is None else f"{group['mean_duration_s'] / 60:.0f}",
    ]


def _expected(group: Group, beside: Expected) -> list[str]:
    figures = (
        (_share(beside.win_rate), apart(group["win_rate_interval"], beside.win_rate)),
        (_share(beside.excellent_rate), apart(group["excellent_rate_interval"], beside.excellent_rate)),
        (
            _number(beside.mean_remaining),
            apart(group["mean_remaining_interval"], beside.mean_remaining, group["games"]),
        ),
    )
    return [f"{told} {MARKS[side]}" for told, side in figures] + [""] * 3


def _share(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _between(interval: Interval | None, scale: int) -> str:
    return "" if interval is None else f" ({scale * interval[0]:.1f}-{scale * interval[1]:.1f})"
