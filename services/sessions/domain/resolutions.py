"""What the log says about a conflict: the entries that resolve it, and which of them nobody took back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid5

from services.sessions.domain.batch import same
from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING, SETTLED, Conflict
from services.sessions.domain.log import Mark, effective

RESOLVE = "resolve"
IN_CLOUD, ON_DEVICE, BOTH, AT_TABLE = "cloud", "device", "merged", "table"
CHOICES = (BOTH, IN_CLOUD, ON_DEVICE, AT_TABLE)
LENGTH = "branch_length"  # how much of a branch, which may grow, an entry has settled


@dataclass(frozen=True, slots=True)
class Resolution:
    """An entry that resolves a conflict, and whether it stands: was not taken back."""

    seq: int
    action: dict[str, Any]
    stands: bool

    def is_of(self, conflict: Conflict) -> bool:
        """Whether it settles the conflict as it is now, all of its branch."""
        settled = (self.action["conflict_id"], self.action[LENGTH])
        return settled == (str(conflict.id), len(conflict.branch.actions))

    def is_decision(self, choice: str, table: dict[str, Any] | None) -> bool:
        """Whether it says the very same."""
        return bool(self.action["choice"] == choice and same(self.action.get("table"), table))


def standing(marks: Iterable[Mark]) -> set[int]:
    """The seqs of the entries that nobody took back, of a whole log in order.

    One that resolves another conflict replaces what it tells anew, and takes no earlier decision back.
    """
    return effective(replace(mark, back_to=None) if mark.kind == RESOLVE else mark for mark in marks)


def settling(conflict: Conflict, resolutions: Sequence[Resolution]) -> Resolution | None:
    """The last entry that settles the conflict and stands."""
    found = [resolution for resolution in resolutions if resolution.stands and resolution.is_of(conflict)]
    return found[-1] if found else None


def status(conflict: Conflict, resolutions: Sequence[Resolution]) -> str:
    """How the conflict stands, by the log: what was stored of that may be late."""
    settled = settling(conflict, resolutions)
    if settled is not None:
        return MERGED if "proof" in settled.action else SETTLED
    return PENDING if conflict.status == PENDING else NEEDS_DECISION


def by_proof(conflict: Conflict, found: dict[str, Any]) -> dict[str, Any]:
    """The entry that says what was proved: the same however often it is made from the same."""
    length = len(conflict.branch.actions)
    action_id = uuid5(conflict.id, f"proof of {length}")
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
        LENGTH: len(conflict.branch.actions),
        "base_version": story["base_version"],
        "actions": story["actions"],
    }
