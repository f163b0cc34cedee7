"""Refresh-token families: what a presented token means, by its generation.

A sign-in starts a family; each refresh makes the next generation. The newest generation is current; the one
directly before it works for a while longer, for answers lost on the way; anything older can only be stolen or
replayed.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Family:
    """One sign-in on one device. `rotated_at` is when `generation` became the current one."""

    id: UUID
    account_id: UUID
    generation: int
    rotated_at: datetime
    expires_at: datetime
    ended_at: datetime | None


class Verdict(Enum):
    """What a presented refresh token leads to."""

    ROTATE = "a new generation begins"
    REPEAT = "another token of the current generation"
    REUSED = "the family is revoked"
    ENDED = "refused; the family is over already"


def judge(family: Family, generation: int, now: datetime, grace: timedelta) -> Verdict:
    """What a token of `generation` means for `family`; one that was left is accepted for `grace` at most."""
    if family.ended_at is not None or now >= family.expires_at:
        return Verdict.ENDED
    if generation == family.generation:
        return Verdict.ROTATE
    if generation == family.generation - 1 and now <= family.rotated_at + grace:
        return Verdict.REPEAT
    return Verdict.REUSED
