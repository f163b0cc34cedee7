"""Owns the rule that shapes only grow: what a newer JSON Schema must keep of an older one."""

from collections.abc import Iterator
from typing import Any

# Words for people; they may change freely.
_ABOUT = frozenset({"description", "examples", "title", "$schema", "$id"})


def losses(old: dict[str, Any], new: dict[str, Any], where: str = "") -> Iterator[str]:
    """What `new` takes away from `old`, one sentence each; nothing when it only adds.

    Additions are optional properties, further values of an enumeration, and null where a value was always
    given: readers of the old shape understand the new one as far as it says what the old one could.
    """
    place = where or "the whole"
    for word in sorted((old.keys() | new.keys()) - _ABOUT - {"properties", "required", "enum", "items"}):
        if old.get(word) != new.get(word) and not (word == "type" and _now_or_null(old, new)):
            yield f"{place}: {word} was {old.get(word)!r} and is {new.get(word)!r}"
    if set(old.get("required", ())) != set(new.get("required", ())):
        yield f"{place}: other properties are required than before"
    if ("enum" in old) != ("enum" in new) or not set(old.get("enum", ())) <= set(new.get("enum", ())):
        yield f"{place}: values are gone"
    if ("items" in old) != ("items" in new):
        yield f"{place}: items are described otherwise"
    elif "items" in old:
        yield from losses(old["items"], new["items"], f"{where}[]")
    for name, schema in old.get("properties", {}).items():
        if name in new.get("properties", {}):
            yield from losses(schema, new["properties"][name], f"{where}.{name}")
        else:
            yield f"{where}.{name} is gone"


def _now_or_null(old: dict[str, Any], new: dict[str, Any]) -> bool:
    return "type" in old and new.get("type") == [old["type"], "null"]
