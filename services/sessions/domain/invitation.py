"""An invitation to a game and who came by it, as a guest or with an account: as what, and for how long."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from services.sessions.domain.roles import RIGHTS


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


@dataclass(frozen=True, slots=True)
class Share:
    """A game that an account has besides its owner, as `role`, by an invitation accepted at `granted_at`.

    It lasts until the invitation is withdrawn, whether that has expired or not.
    """

    game_id: UUID
    account_id: UUID
    role: str
    invitation_id: UUID
    granted_at: datetime

    def allows(self, role: str) -> bool:
        """Whether it allows all that `role` does."""
        return RIGHTS[role] <= RIGHTS[self.role]


@dataclass(frozen=True, slots=True)
class Having:
    """A game as it stands to one account: whose it is, and how it is `shared` with the account, if it is."""

    owner_id: UUID
    version: int
    is_binned: bool
    shared: Share | None
