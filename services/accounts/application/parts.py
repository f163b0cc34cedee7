"""What the use cases work with, put together in `bootstrap`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import Engine

from services.accounts.adapters.hasher import Hasher
from services.accounts.adapters.signer import Signer
from services.accounts.domain.limits import Limit


@dataclass(frozen=True, slots=True)
class Policy:
    """The numbers an operator may set."""

    refresh_life: timedelta
    refresh_grace: timedelta
    sign_ups: Limit
    failed_sign_ins: Limit
    failed_passwords: Limit
    failed_codes: Limit


@dataclass(frozen=True, slots=True)
class Parts:
    """`clock` answers UTC to the millisecond; `random` that many bytes nobody can guess."""

    engine: Engine
    hasher: Hasher
    signer: Signer
    policy: Policy
    clock: Callable[[], datetime]
    new_id: Callable[[], UUID]
    random: Callable[[int], bytes]
