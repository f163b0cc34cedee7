"""What a log says: which entries still count, and which came since a version."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted action. `seq` counts from 1; times are aware, UTC; `action` carries its id and type."""

    seq: int
    action: dict[str, Any]
    account_id: UUID
    device: str | None
    at: datetime | None
    recorded_at: datetime
    rules_version: str
    instructions: list[dict[str, Any]]
    warnings: list[str]

    def document(self, *, effective: bool) -> dict[str, Any]:
        """The entry as api.md gives it."""
        by: dict[str, Any] = {"account_id": self.account_id}
        if self.device:
            by["device"] = self.device
        return {
            "seq": self.seq,
            "action": self.action,
            "by": by,
            "at": self.at,
            "recorded_at": self.recorded_at,
            "rules_version": self.rules_version,
            "instructions": self.instructions,
            "effective": effective,
        }


def effective(types: Iterable[tuple[int, str]]) -> set[int]:
    """The seqs of the entries that count, of a whole log given as (seq, action type) in order.

    An undo takes the last one that counts off, a redo puts it back; neither counts itself.
    """
    standing: list[int] = []
    taken_off: list[int] = []
    for seq, kind in types:
        if kind == "undo":
            taken_off.append(standing.pop())
        elif kind == "redo":
            standing.append(taken_off.pop())
        else:
            standing.append(seq)
            taken_off.clear()
    return set(standing)
