"""An action of a branch that was refused, kept until somebody has looked at it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from services.sessions.domain.log import By


@dataclass(frozen=True, slots=True)
class Parked:
    """The action in normal form, the `code` it was refused with, who sent it; times are aware, UTC."""

    action: dict[str, Any]
    code: str
    by: By
    at: datetime | None
    parked_at: datetime

    def document(self) -> dict[str, Any]:
        """The same as its owner sees it."""
        return {
            "action_id": self.action["id"],
            "action": self.action,
            "code": self.code,
            "by": self.by.document(),
            "at": self.at,
            "parked_at": self.parked_at,
        }
