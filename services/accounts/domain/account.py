"""An account as the rest of the service sees it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Account:
    """One person; access tokens issued before `tokens_valid_from` are denied. Hardly any has a `role`."""

    id: UUID
    email: str
    email_key: str
    display_name: str | None
    locale: str | None
    password_hash: str
    password_changed_at: datetime
    plan: str
    plan_changed_at: datetime
    tokens_valid_from: datetime
    created_at: datetime
    role: str | None = None
