"""Owns the reading of the vectors, and what each step of one says about an outcome and the table after it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
STATE_FIELDS = (
    "status",
    "phase",
    "turn",
    "active_seat",
    "hands",
    "deck",
    "minimum",
    "played_this_turn",
    "remaining",
    "control",
)


@dataclass(frozen=True, slots=True)
class Case:
    """One vector: a game from its start, step by step."""

    name: str
    options: dict[str, Any]
    start: dict[str, Any]
    steps: list[dict[str, Any]]

    @property
    def actions(self) -> list[dict[str, Any]]:
        return [step["action"] for step in self.steps]


def named() -> list[Case]:
    """The cases by hand."""
    return _read("named.json")


def walks() -> list[Case]:
    """The random walks."""
    return _read("walks.json")


def public(table: dict[str, Any]) -> dict[str, Any]:
    """The part of a table that a vector gives as its state."""
    return {name: table[name] for name in STATE_FIELDS} | {
        "piles": {name: pile["top"] for name, pile in table["piles"].items()}
    }


def check_step(step: dict[str, Any], outcome: dict[str, Any], table: dict[str, Any]) -> None:
    """Assert that an outcome and the table after it are what the vector's step expects."""
    expected = step["expect"]
    assert outcome["verdict"] == expected["verdict"]
    assert outcome.get("code") == expected.get("code")
    assert public(table) == expected["state"]
    offers = {name: [pile["playable"], pile["uncertain"]] for name, pile in table["piles"].items()}
    assert offers == expected.get("offers", offers)
    if outcome["verdict"] == "accepted":
        _check_extra(step["action"]["type"], expected.get("extra", {}), outcome, table)


def _check_extra(type_: str, extra: dict[str, Any], outcome: dict[str, Any], table: dict[str, Any]) -> None:
    kinds = {instruction["kind"]: instruction for instruction in outcome["instructions"]}
    if type_ == "draw":
        assert kinds["draw"]["count"] == extra["drawn"]
    if "return_cards" in extra:
        assert kinds["return_cards"] == {
            "kind": "return_cards",
            "seat": extra["seat"],
            "count": extra["return_cards"],
        }
    elif type_ == "undo":
        assert "return_cards" not in kinds
    if type_ == "confirm":
        assert table["remaining"] == extra["remaining"]
        assert ("win" if table["remaining"] == 0 else "loss") == extra["outcome"]
    if type_ != "redo":
        assert outcome["warnings"] == extra.get("warnings", [])


def _read(name: str) -> list[Case]:
    raw = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return [Case(case["name"], case["options"], case["start"], case["steps"]) for case in raw]
