"""What the log says about a conflict: the entries that resolve it, and which of them nobody took back."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid5

from services.sessions.domain.batch import same
from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING, SETTLED, Conflict, Listed
from services.sessions.domain.log import Mark, counting, effective

RESOLVE = "resolve"
IN_CLOUD, ON_DEVICE, BOTH, AT_TABLE = "cloud", "device", "merged", "table"
CHOICES = (BOTH, IN_CLOUD, ON_DEVICE, AT_TABLE)
LENGTH = "branch_length"  # how much of a branch, which may grow, an entry has settled


@dataclass(frozen=True, slots=True)
class Resolution:
    """An entry that resolves a conflict, and whether it stands: was not taken back.

    Its `action` may come without the story that it tells.
    """

    seq: int
    action: dict[str, Any]
    stands: bool

    @property
    def is_by_people(self) -> bool:
        """Whether it says what people decided, and not what was proved."""
        return "proof" not in self.action

    def is_of(self, conflict: Conflict | Listed) -> bool:
        """Whether it settles the conflict as it is now, all of its branch."""
        settled = (self.action["conflict_id"], self.action[LENGTH])
        return settled == (str(conflict.id), conflict.length)

    def is_decision(self, choice: str, table: dict[str, Any] | None) -> bool:
        """Whether it says the very same."""
        return bool(self.action["choice"] == choice and same(self.action.get("table"), table))


def standing(marks: Iterable[Mark]) -> set[int]:
    """The seqs of the entries that nobody took back, of a whole log in order.

    One that resolves another conflict replaces what it tells anew, and takes no earlier decision back.
    """
    return effective(map(_going_on, marks))


def settling(conflict: Conflict | Listed, resolutions: Sequence[Resolution]) -> Resolution | None:
    """The last entry that settles the conflict and stands."""
    found = [resolution for resolution in resolutions if resolution.stands and resolution.is_of(conflict)]
    return found[-1] if found else None


def status(conflict: Conflict | Listed, resolutions: Sequence[Resolution]) -> str:
    """How the conflict stands: pending until what was found is stored too, from then on by the log alone."""
    return PENDING if conflict.status == PENDING else status_by(settling(conflict, resolutions))


def status_by(settled: Resolution | None) -> str:
    """How a conflict stands by the entry that settles it: what was stored of that may be late."""
    if settled is None:
        return NEEDS_DECISION
    return SETTLED if settled.is_by_people else MERGED


def overrules(log: Sequence[Mark], decisions: Container[int], kinds: Sequence[str]) -> int | None:
    """The index of the first further action that takes back, or brings back, what people decided.

    `kinds` are the types of actions that were accepted after the whole `log`, in order; `decisions` the seqs
    of the entries in which people decided.
    """
    further = [Mark(seq, kind) for seq, kind in enumerate(kinds, len(log) + 1)]
    stand = list(counting(map(_going_on, [*log, *further]), decisions))
    before = stand[len(log) - 1] if log else frozenset()
    return next((n for n, after in enumerate(stand[len(log) :]) if after != before), None)


def _going_on(mark: Mark) -> Mark:
    return replace(mark, back_to=None) if mark.kind == RESOLVE else mark


def by_proof(conflict: Conflict, found: dict[str, Any]) -> dict[str, Any]:
    """The entry that says what was proved: the same however often it is made from the same."""
    action_id = uuid5(conflict.id, f"proof of {conflict.length}")
    return _resolve(conflict, action_id, BOTH, found) | {"proof": found["proof"]}


def by_decision(
    conflict: Conflict,
    earlier: int,
    choice: str,
    story: dict[str, Any],
    table: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The entry that says what people decided, when so many entries resolved the conflict `earlier`.

    `story` has a `base_version` and the `actions` to be told from there on.
    """
    more = {} if table is None else {"table": table}
    return _resolve(conflict, uuid5(conflict.id, str(earlier)), choice, story) | more


def _resolve(conflict: Conflict, action_id: UUID, choice: str, story: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": str(action_id),
        "type": RESOLVE,
        "choice": choice,
        "conflict_id": str(conflict.id),
        LENGTH: conflict.length,
        "base_version": story["base_version"],
        "actions": story["actions"],
    }
