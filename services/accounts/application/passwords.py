"""Checking, changing and resetting passwords."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from sqlalchemy import Connection

from services.accounts.adapters import accounts, attempts, codes
from services.accounts.application import tokens
from services.accounts.application.attempts import refuse_if_exhausted
from services.accounts.application.parts import Parts
from services.accounts.application.tokens import Tokens
from services.accounts.domain import emails
from services.accounts.domain.account import Account
from services.accounts.domain.limits import Limit
from shared.web.problems import Problem

RESET_LIFE = timedelta(hours=1)


def proven(
    parts: Parts, limit: Limit, subject: str, password: str, find: Callable[[Connection], Account | None]
) -> Account | None:
    """The account that `find` answers, when `password` is its; each failure counts towards `limit`.

    Whether there is such an account shows neither in the answer nor in the time it takes. Refuses with
    `too_many_requests`, before it waits for a slot and again once it has one: what was guessed meanwhile
    counts too. Raises `Overloaded`. No connection is held while hashing.
    """
    with parts.engine.connect() as connection:
        refuse_if_exhausted(connection, limit, subject, parts.clock())
    with parts.hasher.slot():
        with parts.engine.begin() as connection:
            refuse_if_exhausted(connection, limit, subject, parts.clock())
            account = find(connection)
        if parts.hasher.matches(account.password_hash if account else None, password):
            assert account is not None
            _rehash_if_outdated(parts, account, password)
            return account
        with parts.engine.begin() as connection:
            attempts.count(connection, limit, subject, parts.clock())
        return None


def own(parts: Parts, account_id: UUID, password: str) -> Account:
    """The signed-in account, its password proven again; refuses with `wrong_password`."""
    account = proven(
        parts,
        parts.policy.failed_passwords,
        str(account_id),
        password,
        lambda connection: accounts.find(connection, account_id),
    )
    if account is None:
        raise Problem("wrong_password")
    return account


def held(connection: Connection, account: Account) -> Account | None:
    """`account` held, unless its password changed since it was proven or it is gone."""
    current = accounts.hold(connection, account.id)
    unchanged = current is not None and current.password_changed_at == account.password_changed_at
    return current if unchanged else None


def change(parts: Parts, account_id: UUID, current_password: str, new_password: str) -> Tokens:
    """Set a new password and end every token; returns the tokens of a new sign-in."""
    account = own(parts, account_id, current_password)
    password_hash = _hashed(parts, new_password)
    with parts.engine.begin() as connection:
        current = held(connection, account)
        if current is None:
            raise Problem("wrong_password")
        return tokens.begin(connection, parts, _set(connection, parts, current, password_hash, "password"))


def offer_reset(parts: Parts, email: str) -> str | None:
    """A code that sets a new password within the next hour; None when there is no such account."""
    now = parts.clock()
    code = tokens.secret(parts)
    with parts.engine.begin() as connection:
        account = accounts.find_by_email(connection, emails.key(email))
        if account is None:
            return None
        codes.offer_reset(connection, account.id, code, now, now + RESET_LIFE)
    return code


def reset(parts: Parts, code: str, password: str, address: str) -> None:
    """Set `password` with a one-time code, end every token, and let `address` try to sign in again."""
    with parts.engine.begin() as connection:
        account_id = codes.owner_of_reset(connection, code, parts.clock())
    if account_id is None:
        raise Problem("link_expired")
    password_hash = _hashed(parts, password)
    with parts.engine.begin() as connection:
        account = accounts.hold(connection, account_id)
        if account is None or not codes.use_reset(connection, code, parts.clock()):
            raise Problem("link_expired")
        _set(connection, parts, account, password_hash, "reset")
        subject = sign_in_subject(address, account.email_key)
        attempts.clear(connection, parts.policy.failed_sign_ins, subject)


def sign_in_subject(address: str, email_key: str) -> str:
    """Whose failed sign-ins are counted together."""
    return f"{address} {email_key}"


def _set(connection: Connection, parts: Parts, account: Account, password_hash: str, reason: str) -> Account:
    codes.withdraw_resets(connection, account.id)
    account = tokens.end_all(connection, parts, account, reason)
    # The cut is later than any before it, so that two changes never have the same moment.
    changed = {"password_hash": password_hash, "password_changed_at": account.tokens_valid_from}
    accounts.change(connection, account.id, **changed)
    return account


def _hashed(parts: Parts, password: str) -> str:
    with parts.hasher.slot():
        return parts.hasher.hash(password)


def _rehash_if_outdated(parts: Parts, account: Account, password: str) -> None:
    if not parts.hasher.is_outdated(account.password_hash):
        return
    password_hash = parts.hasher.hash(password)
    with parts.engine.begin() as connection:
        if held(connection, account):
            accounts.change(connection, account.id, password_hash=password_hash)
