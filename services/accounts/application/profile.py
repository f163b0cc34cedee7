"""A person's own account: read, change, take along, delete."""

from typing import Any
from uuid import UUID

from services.accounts.adapters import accounts, exports
from services.accounts.application import events, passwords
from services.accounts.application.parts import Parts
from services.accounts.domain.account import Account
from shared.web.problems import Problem


def show(parts: Parts, account_id: UUID) -> Account:
    """The account; `unauthenticated` when it was deleted meanwhile."""
    with parts.engine.connect() as connection:
        account = accounts.find(connection, account_id)
    if account is None:
        raise Problem("unauthenticated")
    return account


def change(parts: Parts, account_id: UUID, changes: dict[str, Any]) -> Account:
    """Set `display_name` and `locale`, those that `changes` has."""
    with parts.engine.begin() as connection:
        if accounts.hold(connection, account_id) and changes:
            accounts.change(connection, account_id, **changes)
    return show(parts, account_id)


def export(parts: Parts, account_id: UUID) -> dict[str, Any]:
    """Everything that accounts has about the person, as of one moment; no hash and no code."""
    with parts.engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        account = accounts.find(connection, account_id)
        if account is None:
            raise Problem("unauthenticated")
        return {"exported_at": parts.clock(), "account": account, **exports.gather(connection, account_id)}


def delete(parts: Parts, account_id: UUID, password: str) -> None:
    """Remove the person with everything of theirs, tokens at once; refuses with `wrong_password`."""
    account = passwords.own(parts, account_id, password)
    with parts.engine.begin() as connection:
        if passwords.held(connection, account) is None:
            raise Problem("wrong_password")
        accounts.remove(connection, account_id)
        events.account_deleted(connection, account_id, parts.clock())
