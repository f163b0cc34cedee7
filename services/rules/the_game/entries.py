"""Owns the JSON of actions and of the entries that only a log has: adopt, rewind and resolve."""

from collections.abc import Mapping
from typing import Any

from services.rules.malformed import Malformed
from services.rules.the_game.actions import Action, Whole, faults_of, read_action

WHOLE = ("adopt", "rewind", "resolve")
CHOICES = ("merged", "cloud", "device", "table")

Json = dict[str, Any]


def read_entries(value: object, place: str) -> list[Action]:
    """Entries of a log from a JSON list: actions of clients, and what others wrote about the whole game.

    Raises Malformed with the errors below `place`, by index and field.
    """
    if not isinstance(value, list):
        raise Malformed({place: ["Not a list."]})
    errors = {str(index): found for index, item in enumerate(value) if (found := _faults(item))}
    if errors:
        raise Malformed({place: errors})
    return [_entry(item) for item in value]


def as_json(action: Action) -> Json:
    """An effective action as `read_entries` takes it."""
    fields: Json = {"id": action.id, "pile": action.pile, "card": action.card, "target": action.target}
    if action.confirmed:
        fields["confirmed"] = True
    if action.whole is not None:
        fields["table"] = action.whole.table
    return {"type": action.type, **{name: value for name, value in fields.items() if value is not None}}


def _faults(item: object) -> dict[str, list[str]]:
    kind = item.get("type") if isinstance(item, Mapping) else None
    check = _CHECKS.get(kind) if isinstance(kind, str) else None
    if check is None or not isinstance(item, Mapping):
        return faults_of(item)
    found = check(item)
    if "id" in item and not isinstance(item["id"], str):
        found["id"] = ["Not a valid id."]
    return found


def _adopt_faults(item: Mapping[str, Any]) -> dict[str, list[str]]:
    return {} if isinstance(item.get("table"), Mapping) else {"table": ["Not an object."]}


def _rewind_faults(item: Mapping[str, Any]) -> dict[str, list[str]]:
    return {} if _is_version(item.get("to_version")) else {"to_version": ["Not a count of entries."]}


def _resolve_faults(item: Mapping[str, Any]) -> dict[str, list[str]]:
    found = {}
    choice = item.get("choice")
    if choice not in CHOICES:
        found["choice"] = [f"Must be one of: {', '.join(CHOICES)}."]
    if not _is_version(item.get("base_version")):
        found["base_version"] = ["Not a count of entries."]
    actions = item.get("actions", [])
    if not isinstance(actions, list) or any(not _is_effective(action) for action in actions):
        found["actions"] = ["Not a list of effective actions."]
    if choice == "table" and not isinstance(item.get("table"), Mapping):
        found["table"] = ["Not an object."]
    return found


_CHECKS = {"adopt": _adopt_faults, "rewind": _rewind_faults, "resolve": _resolve_faults}
_EFFECTIVE = ("play", "draw", "end_turn", "block", "confirm", "adopt")


def _is_effective(item: object) -> bool:
    return isinstance(item, Mapping) and item.get("type") in _EFFECTIVE and not _faults(item)


def _is_version(value: object) -> bool:
    return type(value) is int and value >= 0


def _entry(item: Json) -> Action:
    kind, id_ = item["type"], item.get("id")
    if kind == "adopt":
        return Action(kind, id=id_, whole=Whole(table=item["table"]))
    if kind == "rewind":
        return Action(kind, id=id_, whole=Whole(item["to_version"]))
    if kind == "resolve":
        actions = tuple(_entry(action) for action in item.get("actions", []))
        return Action(
            kind, id=id_, whole=Whole(item["base_version"], item["choice"], actions, item.get("table"))
        )
    return read_action(item)
