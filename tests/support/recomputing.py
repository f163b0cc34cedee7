"""Statistics computed anew by DuckDB from a Parquet export, for every grouping that the API offers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support.api import Json
from tests.support.duck import ask

GROUPINGS = ("players", "difficulty", "reduced_hand", "month", "player")
SHARES = (5, 25, 50, 75, 95)
NUMBERS = 99
_SOURCES = {"month": "strftime(confirmed_at AT TIME ZONE 'UTC', '%Y-%m')", "player": "player_id"}
_KEYS = {"player": "player_id"}


def recomputed(file: Path, by: Sequence[str], where: str = "true") -> dict[tuple[Any, ...], Json]:
    """By the values of `by`: the figures of the games of the export that `where` holds for."""
    source = f"FROM '{file}'"
    if "player" in by:
        source = f"FROM (SELECT *, unnest(player_ids) AS player_id FROM '{file}')"
    keys = [f"{_SOURCES.get(name, name)} AS key_{name}" for name in by] or ["1 AS key_none"]
    names = ", ".join(key.rpartition(" ")[2] for key in keys)
    counts = f"SELECT {', '.join(keys)}, remaining, count(*) AS games {source} WHERE {where} GROUP BY ALL"
    reached = (
        f"SELECT *, sum(games) OVER (PARTITION BY {names} ORDER BY remaining) AS up_to,"
        f" sum(games) OVER (PARTITION BY {names}) AS total FROM ({counts})"
    )
    quantiles = ", ".join(
        f"min(remaining) FILTER (up_to * 100 >= total * {share}) AS q{share:02}" for share in SHARES
    )
    found: dict[tuple[Any, ...], Json] = {}
    for row in _rows(f"SELECT {names}, {quantiles} FROM ({reached}) GROUP BY {names}"):
        key = tuple(row[f"key_{name}"] for name in by)
        found[key] = {
            "quantiles": {f"q{share:02}": row[f"q{share:02}"] for share in SHARES},
            "histogram": [0] * NUMBERS,
        }
    for row in _rows(counts):
        found[tuple(row[f"key_{name}"] for name in by)]["histogram"][row["remaining"]] = row["games"]
    sums = (
        "count(*) AS games, count(*) FILTER (outcome = 'win') AS wins,"
        " count(*) FILTER (remaining < 10) AS excellent, sum(remaining) AS remaining, sum(turns) AS turns,"
        " sum(back_tens) AS back_tens, sum(duration_s) AS duration_s"
    )
    # Grouped by nothing there is one row also of no game.
    some = f"WHERE {where} GROUP BY ALL HAVING count(*) > 0"
    for row in _rows(f"SELECT {', '.join(keys)}, {sums} {source} {some}"):
        games = row["games"]
        found[tuple(row[f"key_{name}"] for name in by)] |= {
            "games": games,
            "wins": row["wins"],
            "win_rate": row["wins"] / games,
            "excellent": row["excellent"],
            "excellent_rate": row["excellent"] / games,
            "mean_remaining": int(row["remaining"]) / games,
            "mean_turns": int(row["turns"]) / games,
            "back_tens": int(row["back_tens"]) / games,
            "mean_duration_s": int(row["duration_s"]) / games,
        }
    return found


def told(items: Sequence[Json], by: Sequence[str]) -> dict[tuple[Any, ...], Json]:
    """What the API says, in the same form; intervals, which no sum gives, are left out."""
    found = {}
    for item in items:
        key = tuple(item[_KEYS.get(name, name)] for name in by)
        named = {"name", *(_KEYS.get(name, name) for name in by)}
        found[key] = {
            name: value
            for name, value in item.items()
            if name not in named and not name.endswith("_interval")
        }
    assert len(found) == len(items)
    return found


def _rows(query: str) -> list[dict[str, Any]]:
    found = ask(query)
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
