"""Refusing what was tried too often."""

from datetime import datetime

from sqlalchemy import Connection

from services.accounts.adapters import attempts
from services.accounts.domain.limits import Limit
from shared.web.problems import Problem


def refuse_if_exhausted(connection: Connection, limit: Limit, subject: str, now: datetime) -> None:
    """Refuse with `too_many_requests` when `subject` has had all its attempts."""
    seconds = attempts.wait_s(connection, limit, subject, now)
    if seconds:
        raise Problem("too_many_requests", retry_after=seconds)
