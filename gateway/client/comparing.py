"""A group beside the yardstick: what a simulated strategy would have come to in the same games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from gateway.client.figures import Group, Grouping, Interval, YardstickRow

OPTIONS: tuple[Grouping, ...] = ("players", "difficulty", "reduced_hand")
STRATEGY = "least_step"
MEANS_FROM = 30  # games; the interval of a mean supposes many, and of two alike it has no width


@dataclass(frozen=True, slots=True)
class Expected:
    """What the strategy would have come to: rates and mean over as many games of each kind."""

    win_rate: float
    excellent_rate: float
    mean_remaining: float


def expected(
    by: Sequence[Grouping], groups: Iterable[Group], rows: Iterable[YardstickRow]
) -> dict[tuple[Any, ...], Expected]:
    """By what is grouped `by`: the figures of `rows`, weighted by the games of `groups`.

    `groups` are grouped by the options of a game too; without a row for one of them nothing can be said.
    """
    known = {_options(row): row for row in rows}
    parts: dict[tuple[Any, ...], list[tuple[int, YardstickRow | None]]] = {}
    for group in groups:
        parts.setdefault(keys(by, group), []).append((group["games"], known.get(_options(group))))
    found = {key: _mean(several) for key, several in parts.items()}
    return {key: one for key, one in found.items() if one is not None}


def keys(by: Sequence[Grouping], group: Group) -> tuple[Any, ...]:
    """What the games of a group have in common, in the order of `by`."""
    return tuple(cast("Any", group)["player_id" if name == "player" else name] for name in by)


def apart(interval: Interval | None, value: float, games: int | None = None) -> int:
    """Whether a group's figure lies above (1) or below (-1) `value`, or cannot be told apart from it (0).

    Of a mean say over how many `games` it is.
    """
    if interval is None or (games is not None and games < MEANS_FROM):
        return 0
    low, high = interval
    return (low > value) - (high < value)


def _options(one: Group | YardstickRow) -> tuple[int, str, bool]:
    return one["players"], one["difficulty"], one["reduced_hand"]


def _mean(parts: Sequence[tuple[int, YardstickRow | None]]) -> Expected | None:
    games = sum(count for count, _ in parts)
    rows = [(count, row) for count, row in parts if row is not None]
    if not games or len(rows) < len(parts):
        return None
    return Expected(
        sum(count * row["win_rate"] for count, row in rows) / games,
        sum(count * row["excellent_rate"] for count, row in rows) / games,
        sum(count * row["mean_remaining"] for count, row in rows) / games,
    )
