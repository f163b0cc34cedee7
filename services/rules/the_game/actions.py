"""Owns the action as the rules read it; its shape is the one in `shared.contracts.actions`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from services.rules.malformed import Malformed
from shared.contracts.actions import faults, is_label


@dataclass(frozen=True, slots=True)
class Whole:
    """What an entry about the whole game brings: `version` counts the entries of the log it goes back to.

    `actions` are effective ones, told from there on; `table` is any JSON object, for the rules to judge.
    """

    version: int = 0
    choice: str | None = None
    actions: tuple["Action", ...] = ()
    table: Any = None


@dataclass(frozen=True, slots=True)
class Action:
    """A well-formed action; `pile` and `card` are any JSON value, for the rules to judge."""

    type: str
    pile: Any = None
    card: Any = None
    confirmed: bool = False
    id: str | None = None
    target: str | None = None
    whole: Whole | None = None


def read_actions(value: object, place: str = "actions") -> list[Action]:
    """Actions from a JSON list; the client's clock `at` is ignored.

    Raises Malformed with the errors below `place`, by index and field.
    """
    if not isinstance(value, list):
        raise Malformed({place: ["Not a list."]})
    errors = {str(index): found for index, item in enumerate(value) if (found := faults_of(item))}
    if errors:
        raise Malformed({place: errors})
    return [read_action(item) for item in value]


def require_labels(actions: Sequence[Action]) -> None:
    """Raise Malformed where a target is no label: 1 to 64 characters."""
    errors = {
        str(index): {"target": ["Not a label of 1 to 64 characters."]}
        for index, action in enumerate(actions)
        if action.target is not None and not is_label(action.target)
    }
    if errors:
        raise Malformed({"actions": errors})


def faults_of(item: object) -> dict[str, list[str]]:
    """What is malformed about an action of a client, by field; its id is optional here."""
    return faults(item, is_label, id_required=False)


def read_action(item: dict[str, Any]) -> Action:
    """A well-formed action of a client."""
    return Action(
        item["type"],
        item.get("pile"),
        item.get("card"),
        item.get("confirmed", False),
        item.get("id"),
        item.get("target"),
    )
