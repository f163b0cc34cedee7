"""What a log says: which entries still count, and which came since a version."""

from collections.abc import Container, Iterable, Iterator
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
    """An entry as it is read now: whether it counts; and, if asked for, what there was to see after it.

    `made_at` is when that was made, where the entry only brought it back.
    """

    entry: Entry
    effective: bool
    seen: Seen | None = None
    made_at: datetime | None = None

    def document(self) -> dict[str, Any]:
        """The entry as api.md gives it, with `table` and `result` if those were asked for."""
        document = self.entry.document(effective=self.effective)
        if self.seen is None:
            return document
        return document | self.seen.document(self.made_at or self.entry.recorded_at)


@dataclass(frozen=True, slots=True)
class Mark:
    """An entry as far as it matters for which entries count.

    `back_to` is the version of the log from which it tells the game anew; None where it only goes on.
    `adds` is whether it says anything but that.
    """

    seq: int
    kind: str
    back_to: int | None = None
    adds: bool = True


@dataclass(frozen=True, slots=True)
class _Moment:
    """After an entry: what undoing it leads to, the moment whose entries count with it.

    `made_by` is the seq of the entry that made what there is to see then.
    """

    seq: int
    before: "_Moment | None"
    on: "_Moment | None"
    made_by: int


def effective(marks: Iterable[Mark]) -> set[int]:
    """The seqs of the entries that count, of a whole log in order.

    An undo takes the last one that counts off, a redo puts it back; neither counts itself. Of those before
    one that goes back to a version, only those count that counted then.
    """
    now = _moments(marks)[-1]
    found = set()
    while now is not None:
        found.add(now.seq)
        now = now.on
    return found


def counting(marks: Iterable[Mark], seqs: Container[int]) -> Iterator[frozenset[int]]:
    """After each entry of a whole log, those of `seqs` that count then."""
    found: dict[int, frozenset[int]] = {id(None): frozenset()}
    for now in _moments(marks)[1:]:
        if now is not None and id(now) not in found:
            earlier = found[id(now.on)]
            found[id(now)] = earlier | {now.seq} if now.seq in seqs else earlier
        yield found[id(now)]


def made_by(marks: Iterable[Mark]) -> list[int]:
    """For each version of a log, from 0 on, the seq of the entry that made what there is to see then.

    What undo, redo and going back bring is not made by them, nor what a decision only keeps; 0 stands for
    the start.
    """
    return [0 if moment is None else moment.made_by for moment in _moments(marks)]


def _moments(marks: Iterable[Mark]) -> list[_Moment | None]:
    """The moment at each version of a whole log, from 0 on."""
    now: _Moment | None = None
    versions: list[_Moment | None] = [None]
    undone: list[_Moment] = []
    for mark in marks:
        if mark.kind == "undo" and now is not None:
            undone.append(now)
            now = now.before
        elif mark.kind == "redo":
            now = undone.pop()
        else:
            earlier = now if mark.back_to is None else versions[mark.back_to]
            made = mark.seq
            if not mark.adds:
                made = 0 if earlier is None else earlier.made_by
            now = _Moment(mark.seq, now, earlier, made)
            undone.clear()
        versions.append(now)
    return versions
