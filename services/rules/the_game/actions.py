"""Owns the shape of an action: which types there are, which fields each has, and what makes one malformed."""

from collections.abc import Mapping
from dataclasses import dataclass

from services.rules.malformed import Malformed

FIELDS: Mapping[str, tuple[str, ...]] = {
    "play": ("pile", "card", "confirmed"),
    "draw": (),
    "end_turn": (),
    "block": (),
    "confirm": (),
    "undo": ("target",),
    "redo": ("target",),
}
LABEL_LENGTH = 64
_KNOWN = {type_: frozenset(("id", "type", "at", *fields)) for type_, fields in FIELDS.items()}


@dataclass(frozen=True, slots=True)
class Action:
    """An action as it was sent; `pile` and `card` are any JSON value, for the rules to judge."""

    type: str
    pile: object = None
    card: object = None
    confirmed: bool = False
    id: str | None = None
    target: str | None = None


def read_action(value: object) -> Action:
    """An action from JSON; the client's clock `at` is ignored. Raises Malformed with the errors by field."""
    if not isinstance(value, Mapping):
        raise Malformed({"_schema": ["Not an object."]})
    type_ = value.get("type")
    known = _KNOWN.get(type_) if isinstance(type_, str) else None
    if known is None:
        raise Malformed({"type": [f"Must be one of: {', '.join(FIELDS)}."]})
    confirmed = value.get("confirmed", False)
    errors = {str(name): ["Unknown field."] for name in value if name not in known}
    if not isinstance(confirmed, bool):
        errors["confirmed"] = ["Not a boolean."]
    for name in ("id", "target"):
        if name in value and not _is_label(value[name]):
            errors[name] = [f"Not a string of 1 to {LABEL_LENGTH} characters."]
    if errors:
        raise Malformed(errors)
    return Action(
        type_, value.get("pile"), value.get("card"), confirmed, value.get("id"), value.get("target")
    )


def read_actions(value: object) -> list[Action]:
    """Actions from a JSON list. Raises Malformed with the errors by index and field."""
    if not isinstance(value, list):
        raise Malformed({"actions": ["Not a list."]})
    actions = []
    for index, item in enumerate(value):
        try:
            actions.append(read_action(item))
        except Malformed as malformed:
            raise Malformed({"actions": {str(index): malformed.errors}}) from malformed
    return actions


def _is_label(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= LABEL_LENGTH
