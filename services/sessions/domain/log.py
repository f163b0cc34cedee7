"""What a log says: which entries still count, and which came since a version."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from services.sessions.domain.results import Seen


@dataclass(frozen=True, slots=True)
class By:
    """Who sent an action: an account, or a guest of the game; and the device by name if it has one."""

    account_id: UUID | None
    guest_id: UUID | None = None
    device: str | None = None

    def document(self) -> dict[str, Any]:
        """Who it was as api.md gives it: `account_id` is null for a guest."""
        by: dict[str, Any] = {"account_id": self.account_id}
        if self.guest_id:
            by["guest_id"] = self.guest_id
        if self.device:
            by["device"] = self.device
        return by


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted action. `seq` counts from 1; times are aware, UTC; `action` carries its id and type."""

    seq: int
    action: dict[str, Any]
    by: By
    at: datetime | None
    recorded_at: datetime
    rules_version: str
    instructions: list[dict[str, Any]]
    warnings: list[str]

    def document(self, *, effective: bool) -> dict[str, Any]:
        """The entry as api.md gives it."""
        return {
            "seq": self.seq,
            "action": self.action,
            "by": self.by.document(),
            "at": self.at,
            "recorded_at": self.recorded_at,
            "rules_version": self.rules_version,
            "instructions": self.instructions,
            "effective": effective,
        }


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry as it is read now: whether it counts; and, if asked for, what there was to see after it."""

    entry: Entry
    effective: bool
    seen: Seen | None = None

    def document(self) -> dict[str, Any]:
        """The entry as api.md gives it, with `table` and `result` if those were asked for."""
        document = self.entry.document(effective=self.effective)
        return document if self.seen is None else document | self.seen.document(self.entry.recorded_at)


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
