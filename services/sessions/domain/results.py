"""The result of a game along its log: what there was to see after an entry, and where it came or went."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

Result = dict[str, Any] | None
FINISHED: Literal["finished"] = "finished"
REOPENED: Literal["reopened"] = "reopened"


@dataclass(frozen=True, slots=True)
class Seen:
    """What there was to see after an entry; the result is as rules gives it, without a time."""

    table: dict[str, Any]
    result: Result

    def document(self, made_at: datetime) -> dict[str, Any]:
        """The same as api.md gives it, made by an entry of that time."""
        return {"table": self.table, "result": confirmed(self.result, made_at)}


@dataclass(frozen=True, slots=True)
class Change:
    """An entry that brought a result or took it back; `number` counts from 1 what came at once."""

    number: int
    kind: Literal["finished", "reopened"]


def confirmed(result: Result, made_at: datetime) -> Result:
    """A result with its time: that of the entry that made it, whatever has brought it back since."""
    return None if result is None else {**result, "confirmed_at": made_at}


def changes(before: Result, after: Iterable[Result]) -> Iterator[Change]:
    """Where a result came or went, in order; `after` has what there is after each entry."""
    for number, result in enumerate(after, 1):
        if (result is None) != (before is None):
            yield Change(number, REOPENED if result is None else FINISHED)
        before = result
