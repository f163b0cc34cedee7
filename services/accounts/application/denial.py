"""Whether an access token was ended before its time."""

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import Engine

from services.accounts.adapters import families
from shared.web.tokens import Identity


def denied(engine: Engine) -> Callable[[Identity], bool]:
    """Tells by one indexed query: the account is gone, signed out, or has cut off what was issued before."""
    reading = engine.execution_options(isolation_level="AUTOCOMMIT")

    def is_denied(identity: Identity) -> bool:
        try:
            account_id, family_id = UUID(identity.account_id), UUID(identity.family)
        except ValueError:
            return True
        issued_at = datetime.fromtimestamp(identity.issued_at, UTC)
        with reading.connect() as connection:
            return families.is_denied(connection, account_id, family_id, issued_at)

    return is_denied
