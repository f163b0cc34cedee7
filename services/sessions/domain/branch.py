"""A branch, what a device recorded on its own from a version on; and the conflict it opens with the log."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from services.sessions.domain.log import By

PENDING, MERGED, NEEDS_DECISION, SETTLED = "pending", "merged", "needs_decision", "settled"
UNDECIDED = (PENDING, NEEDS_DECISION)
STATUSES = (PENDING, MERGED, NEEDS_DECISION, SETTLED)


@dataclass(frozen=True, slots=True)
class Branch:
    """What a device recorded after the first `base_version` entries; times are aware, UTC.

    `actions` are in normal form, as they were sent; `ats` has the device's clock and `outcomes` what was
    answered for each. `newest_at` is when the last of them was made, as far as that is known.
    """

    id: UUID
    game_id: UUID
    by: By
    base_version: int
    actions: list[dict[str, Any]]
    ats: list[datetime | None]
    outcomes: list[dict[str, Any]]
    received_at: datetime
    newest_at: datetime

    @property
    def standing(self) -> list[dict[str, Any]]:
        """The actions that were not refused: all that rules needs to hear of; the others changed nothing."""
        both = zip(self.actions, self.outcomes, strict=True)
        return [action for action, outcome in both if outcome["verdict"] != "rejected"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A conflict without its stories: it is about the first `length` actions of a branch.

    `outline` is what is shown of both sides, see `outlines`; the log was at `cloud_version` then.
    """

    id: UUID
    game_id: UUID
    status: str
    base_version: int
    length: int
    cloud_version: int
    outline: dict[str, Any]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Conflict:
    """The question what a branch and the log of a game of `owner_id` make together.

    `found` is what rules answered when the log was at `cloud_version`; None before it was asked.
    """

    id: UUID
    owner_id: UUID
    branch: Branch
    status: str
    cloud_version: int
    found: dict[str, Any] | None
    created_at: datetime
    updated_at: datetime
    outline: dict[str, Any] = field(default_factory=dict)

    @property
    def game_id(self) -> UUID:
        """The game whose log it is about."""
        return self.branch.game_id

    @property
    def base_version(self) -> int:
        """How many entries of the log both sides share."""
        return self.branch.base_version

    @property
    def length(self) -> int:
        """How many actions the branch has."""
        return len(self.branch.actions)


@dataclass(frozen=True, slots=True)
class Examined:
    """What rules found about a conflict when the log was at `version`, and the outline of it."""

    found: dict[str, Any]
    outline: dict[str, Any]
    version: int

    @property
    def is_settled(self) -> bool:
        """Whether one story was proved."""
        return bool(self.found["status"] != "undecided")
