"""Owns the rule that shapes only grow: what a newer JSON Schema must keep of an older one."""

from collections.abc import Iterator
from typing import Any

# Words for people; they may change freely.
_ABOUT = frozenset({"description", "examples", "title", "$schema", "$id"})


def losses(old: dict[str, Any], new: dict[str, Any], where: str = "") -> Iterator[str]:
    """What `new` takes away from `old`, one sentence each; nothing when it only adds.

    Additions are optional properties and further values of an enumeration: readers of the old shape
    understand the new one, and the other way round.
    """
    place = where or "the whole"
    for word in sorted((old.keys() | new.keys()) - _ABOUT - {"properties", "required", "enum", "items"}):
        if old.get(word) != new.get(word):
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
