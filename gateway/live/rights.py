"""Owns who may see a game and until when, and which events take that away from whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

OWNER = "owner"
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Holder:
    """The bearer of a right to see one game, as sessions tells it; `device` is what the bearer calls it."""

    game_id: str
    role: str
    expires_at: datetime
    issued_at: datetime
    owner_id: str
    account_id: str | None
    sign_in: str | None
    guest_id: str | None
    invitation_id: str | None
    device: str | None
    joined_at: datetime | None = None

    @classmethod
    def from_document(cls, document: Mapping[str, Any], device: str | None) -> "Holder":
        """From the answer about the access; raises KeyError, TypeError or ValueError for another shape."""
        return cls(
            game_id=document["game_id"],
            role=document["role"],
            expires_at=datetime.fromisoformat(document["expires_at"]),
            issued_at=datetime.fromisoformat(document["issued_at"]),
            owner_id=document["owner_id"],
            account_id=document["account_id"],
            sign_in=document["sign_in"],
            guest_id=document["guest_id"],
            invitation_id=document["invitation_id"],
            device=device,
            joined_at=_time(document.get("joined_at")),
        )

    @property
    def bearer(self) -> str:
        """Whose streams are counted together."""
        return self.account_id or self.guest_id or ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The event `sessions.access.ended`: of `kind` (account, sign_in, tokens, invitation), whose is `id`.

    Of the kind `share` it is the account's that `id` says, to the game `game_id`.
    """

    kind: str
    id: str
    before: datetime = NEVER
    game_id: str | None = None

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Ended":
        """From the event's data; raises KeyError, TypeError or ValueError for another shape."""
        return cls(data["kind"], data["id"], _time(data.get("before")) or NEVER, data.get("game_id"))

    def ends(self, holder: Holder) -> bool:
        """Whether it takes the right of `holder` away."""
        match self.kind:
            case "account":
                # Guests of its games go with it; accounts that these are shared with keep them.
                return self.id == (holder.account_id or holder.owner_id)
            case "sign_in":
                return holder.sign_in == self.id
            case "tokens":
                return holder.account_id == self.id and holder.issued_at < self.before
            case "invitation":
                return holder.invitation_id == self.id
            case "share":
                is_theirs = (holder.account_id, holder.game_id) == (self.id, self.game_id)
                return is_theirs and holder.joined_at is not None and holder.joined_at < self.before
        return False


def _time(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None
