"""Owns the yardstick as it is kept: figures of simulated strategies, read from the committed file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("yardstick.json")

Json = dict[str, Any]


def read(file: Path = FILE) -> Json:
    """The whole file: `ruleset`, `rules_version`, `command`, `games`, `seed`, `strategies`, `items`.

    `items` has one row by strategy, players, difficulty and reduced hand, with the figures and standard
    errors of its games, the histogram of the cards left, and `first`: those of the first games in order.
    """
    found: Json = json.loads(file.read_text(encoding="utf-8"))
    return found


def selected(yardstick: Json, wanted: Mapping[str, Any]) -> Json:
    """The yardstick with the rows alone that have these values, as clients get it: without `first`."""
    items = [
        {name: value for name, value in row.items() if name != "first"}
        for row in yardstick["items"]
        if all(row[name] == value for name, value in wanted.items())
    ]
    return yardstick | {"items": items}
