"""Roles: granted and revoked by whoever runs the service."""

from services.accounts.adapters import accounts
from services.accounts.application import tokens
from services.accounts.application.parts import Parts
from services.accounts.domain import emails
from services.accounts.domain.roles import Role


def set_role(parts: Parts, email: str, role: Role | None) -> bool | None:
    """Give the account of `email` this role, or none: whether that changed anything, None without an account.

    A role is in the next token; taking one away denies every access token issued before. No sign-in ends.
    """
    with parts.engine.begin() as connection:
        found = accounts.find_by_email(connection, emails.key(email))
        account = accounts.hold(connection, found.id) if found else None
        if account is None:
            return None
        if account.role == role:
            return False
        accounts.change(connection, account.id, role=role)
        if role is None:
            tokens.deny_issued(connection, parts, account)
        return True
