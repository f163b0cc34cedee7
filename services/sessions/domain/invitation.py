"""An invitation to a game and who came by it: as what, and for how long."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to take part in a game as `role`. Times are aware, UTC; its code is stored nowhere."""

    id: UUID
    game_id: UUID
    role: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None

    def status(self, now: datetime) -> str:
        """Whether it is active at `now`; `expires_at` itself is too late."""
        if self.revoked_at is not None:
            return "revoked"
        return "active" if now < self.expires_at else "expired"

    def is_active(self, now: datetime) -> bool:
        """Whether it, and every token given for it, counts at `now`."""
        return self.status(now) == "active"

    def document(self, now: datetime, guests: int) -> dict[str, Any]:
        """The invitation as its owner sees it, accepted by that many `guests`."""
        return {
            "id": self.id,
            "role": self.role,
            "status": self.status(now),
            "created_at": self.created_at,
            "expires_at": self.expires_at,
            "revoked_at": self.revoked_at,
            "guests": guests,
        }


@dataclass(frozen=True, slots=True)
class Guest:
    """Who came by an invitation, with the game as it is now: whose, its version, and whether it is open."""

    id: UUID
    invitation: Invitation
    joined_at: datetime
    owner_id: UUID
    version: int
    is_game_open: bool
