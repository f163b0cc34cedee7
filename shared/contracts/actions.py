"""The shape of an action as clients send it: types and fields. What it means, rules decides."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

# type → the fields it may carry besides `id`, `type` and `at`
FIELDS: dict[str, frozenset[str]] = {
    "play": frozenset({"pile", "card", "confirmed"}),
    "draw": frozenset(),
    "end_turn": frozenset(),
    "block": frozenset(),
    "confirm": frozenset(),
    "undo": frozenset({"target"}),
    "redo": frozenset({"target"}),
    "identify": frozenset({"target", "card"}),
}
# what takes another entry off or puts it back, and never counts itself
TAKING_BACK = frozenset({"undo", "redo"})
# what only the whole log tells the meaning of
TIMELINE = TAKING_BACK | {"identify"}
# entries that nobody sends as actions: they stand for a request of their own
WRITTEN = frozenset({"adopt", "rewind", "resolve"})
# what the whole log is sent along with: a confirmed game is summed up from it
NEEDS_LOG = TIMELINE | WRITTEN | {"confirm"}
# what an account sends with the plan Plus only
OF_PLUS = frozenset({"identify"})
# entry type → its field with the version of the log that the game goes on from
BACK_TO = {"rewind": "to_version", "resolve": "base_version"}
LONGEST = 64  # characters of a string in an action, as of a label
_COMMON = frozenset({"id", "type", "at"})
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)")


def is_uuid(value: Any) -> bool:
    """Whether `value` is a UUID in its canonical form of 36 characters."""
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


def is_label(value: Any) -> bool:
    """Whether `value` is a string of 1 to 64 characters."""
    return isinstance(value, str) and 1 <= len(value) <= LONGEST


def parse_time(value: Any) -> datetime | None:
    """`value` in UTC if it is a time in RFC 3339 whose UTC lies in the years 1 to 9999, else None."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return None
    try:
        return datetime.fromisoformat(value.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def faults(
    action: Any, is_id: Callable[[Any], bool] = is_uuid, *, id_required: bool = True
) -> dict[str, list[str]]:
    """What is malformed about `action`, by field; empty when it is well-formed.

    `pile` and `card` take any JSON value: rules judges them.
    """
    if not isinstance(action, dict):
        return {"_schema": ["An action is an object."]}
    found: dict[str, list[str]] = {}
    if "id" in action or id_required:
        if "id" not in action:
            found["id"] = ["Missing: every action carries an id made by the client."]
        elif not is_id(action["id"]):
            found["id"] = ["Not a valid id."]
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        found["type"] = [f"Not one of {', '.join(FIELDS)}."]
        return found
    for field in action.keys() - _COMMON - FIELDS[kind]:
        found[str(field)] = [f"{kind} has no such field."]
    if not isinstance(action.get("confirmed", False), bool):
        found["confirmed"] = ["Not a boolean."]
    if "target" in action and not isinstance(action["target"], str):
        found["target"] = ["Not a string."]
    if "at" in action and parse_time(action["at"]) is None:
        found["at"] = ["Not a time in RFC 3339 with its offset."]
    return found


def normal(action: dict[str, Any]) -> dict[str, Any]:
    """A well-formed `action` in the one form in which bodies are compared and stored.

    UUIDs in lower case, absent for a null card, without the client's clock. Arrays and objects are emptied,
    strings cut to 64 characters, none of them NUL: no pile, card or action is named so, and nothing
    downstream need bear what they hold.
    """
    result = {key: _bearable(value) for key, value in action.items()}
    result.pop("at", None)
    for field in ("id", "target"):
        if is_uuid(action.get(field)):
            result[field] = str(UUID(action[field]))
    if result.get("card", 0) is None:
        del result["card"]
    return result


def _bearable(value: Any) -> Any:
    if isinstance(value, list | dict):
        return type(value)()
    return value[:LONGEST].replace("\0", "\ufffd") if isinstance(value, str) else value


# JSON Schema of the same, for OpenAPI
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["id", "type"],
    "properties": {
        "id": {"type": "string", "format": "uuid", "description": "made by the client"},
        "type": {"type": "string", "enum": list(FIELDS)},
        "pile": {"description": "play: up1, up2, down1 or down2"},
        "card": {"description": "play: 2 to 99; left out when the value is not known; identify: what it was"},
        "confirmed": {"type": "boolean", "description": "play: a person has looked and says that it fits"},
        "target": {
            "type": "string",
            "description": "undo, redo: the id of the action at hand; identify: of the play",
        },
        "at": {"type": "string", "format": "date-time", "description": "the client's clock"},
    },
    "additionalProperties": False,
}
