"""Accounts in PostgreSQL. Whatever changes an account or its tokens and players holds its row first."""

from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from services.accounts.adapters.tables import accounts, plan_changes
from services.accounts.domain.account import Account


def find(connection: Connection, account_id: UUID) -> Account | None:
    """The account, without holding it."""
    return _account(connection.execute(select(accounts).where(accounts.c.id == account_id)).one_or_none())


def find_by_email(connection: Connection, email_key: str) -> Account | None:
    """The account with this key of an address, without holding it."""
    return _account(
        connection.execute(select(accounts).where(accounts.c.email_key == email_key)).one_or_none()
    )


def hold(connection: Connection, account_id: UUID) -> Account | None:
    """The account, held until the transaction ends: one change at a time per person."""
    statement = select(accounts).where(accounts.c.id == account_id).with_for_update(key_share=True)
    return _account(connection.execute(statement).one_or_none())


def add(connection: Connection, account: Account) -> bool:
    """Insert `account`; False when its address is taken."""
    values = {name: getattr(account, name) for name in accounts.c.keys()}  # noqa: SIM118
    statement = upsert(accounts).values(values).on_conflict_do_nothing(index_elements=["email_key"])
    return connection.execute(statement.returning(accounts.c.id)).one_or_none() is not None


def change(connection: Connection, account_id: UUID, **values: Any) -> None:
    """Set columns of an account that is held."""
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(values))


def remove(connection: Connection, account_id: UUID) -> None:
    """Delete the account and everything that belongs to it."""
    connection.execute(delete(accounts).where(accounts.c.id == account_id))


def change_plan(connection: Connection, account: Account, source: str) -> None:
    """Keep the plan of `account`, as it is after the change, and that it changed."""
    change(connection, account.id, plan=account.plan, plan_changed_at=account.plan_changed_at)
    connection.execute(
        insert(plan_changes).values(
            account_id=account.id, plan=account.plan, source=source, changed_at=account.plan_changed_at
        )
    )


def _account(row: Row[Any] | None) -> Account | None:
    return None if row is None else Account(**row._mapping)
