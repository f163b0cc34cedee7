"""Bodies that are almost right: a good one with one thing in it taken away, added or replaced by garbage."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from jsonschema import Draft202012Validator, FormatChecker

from tests.support.api import Json

DEPTH = 1000
PLACE = "0e4c7f1a-the-place-of-the-garbage"
# As JSON text, since most of it is nothing that a library would write.
GARBAGE = {
    "null": "null",
    "true": "true",
    "0": "0",
    "-1": "-1",
    "1.5": "1.5",
    "7.0": "7.0",
    "2**31": str(2**31),
    "2**63": str(2**63),
    "2**64": str(2**64),
    "-2**64": str(-(2**64)),
    "10**400": str(10**400),
    "1e400": "1e400",
    "-1e400": "-1e400",
    "NaN": "NaN",
    "a number as text": '"7"',
    "a boolean as text": '"true"',
    "an empty text": '""',
    "blanks": '"  "',
    "a long text": f'"{"x" * 10_000}"',
    "NUL": '"a\\u0000b"',
    "NUL in an address": '"a\\u0000b@example.org"',
    "a control character": '"a\\u0007b"',
    "half a surrogate pair": '"\\ud800"',
    "the other half": '"\\udc00x"',
    "an unescaped line feed": '"a\nb"',
    "a list": "[]",
    "a list of it": '[["x"], null]',
    "an object": "{}",
    "an object of it": '{"": {"id": null}}',
    "deep lists": "[" * DEPTH + "]" * DEPTH,
    "deep objects": '{"a":' * DEPTH + "1" + "}" * DEPTH,
}
# What is the same to every schema here, and not too deep for a validator.
SHALLOW = {"deep lists": "[[]]", "deep objects": '{"a": 1}'}

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A body; `is_valid` tells whether the schema takes it all the same."""

    label: str
    body: bytes
    is_valid: bool


def mutants(body: Json, schema: Json, components: Json) -> Iterator[Mutant]:
    """Every mutant of `body`, which is a good one by `schema` (references are to `components`)."""
    validator = Draft202012Validator(
        schema | {"components": components}, format_checker=FormatChecker(["uuid"])
    )
    assert validator.is_valid(body), "only a good body has mutants"
    for path in places(body):
        marked = orjson.dumps(replaced(body, path, PLACE)).decode()
        for label, garbage in GARBAGE.items():
            text = marked.replace(f'"{PLACE}"', garbage).encode()
            shallow = marked.replace(f'"{PLACE}"', SHALLOW.get(label, garbage)).encode()
            yield Mutant(f"{_written(path)} = {label}", text, _is_valid(validator, shallow))
        for label, changed in _changed(at(body, path)):
            text = orjson.dumps(replaced(body, path, changed))
            yield Mutant(f"{_written(path)} {label}", text, _is_valid(validator, text))


def _changed(value: Any) -> Iterator[tuple[str, Any]]:
    """An object without each of its fields in turn, and with one more."""
    if isinstance(value, dict):
        for key in value:
            yield f"without {key}", {name: one for name, one in value.items() if name != key}
        yield "with more", value | {"more": 1}


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where something can be replaced: `value` itself and everything in it."""
    yield path
    items: Sequence[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, item in items:
        yield from places(item, (*path, key))


def at(value: Any, path: Path) -> Any:
    """What lies at `path` in `value`."""
    for key in path:
        value = value[key]
    return value


def replaced(value: Any, path: Path, by: Any) -> Any:
    """A copy of `value` with `by` at `path`."""
    if not path:
        return by
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], by)
    return copy


def _written(path: Path) -> str:
    return ".".join(map(str, path)) or "all"


def _is_valid(validator: Draft202012Validator, text: bytes) -> bool:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return bool(validator.is_valid(value))
