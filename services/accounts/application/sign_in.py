"""Signing up and signing in."""

from dataclasses import dataclass

from services.accounts.adapters import accounts, attempts
from services.accounts.application import events, tokens
from services.accounts.application.parts import Parts
from services.accounts.application.passwords import held, proven, sign_in_subject
from services.accounts.application.tokens import Tokens
from services.accounts.domain import emails
from services.accounts.domain.account import Account
from services.accounts.domain.plans import FREE
from shared.web.problems import Problem


@dataclass(frozen=True, slots=True)
class NewPerson:
    """What somebody signs up with."""

    email: str
    password: str
    display_name: str | None = None
    locale: str | None = None


def sign_up(parts: Parts, person: NewPerson, address: str) -> tuple[Account, Tokens]:
    """A new account and its first tokens; refuses with `too_many_requests` or `email_taken`."""
    key = emails.key(person.email)
    _count_sign_up(parts, address)
    with parts.engine.connect() as connection:
        if accounts.find_by_email(connection, key):
            raise Problem("email_taken")
    with parts.hasher.slot():
        password_hash = parts.hasher.hash(person.password)
    now = parts.clock()
    account = Account(
        id=parts.new_id(),
        email=person.email.strip(),
        email_key=key,
        display_name=person.display_name,
        locale=person.locale,
        password_hash=password_hash,
        password_changed_at=now,
        plan=FREE,
        plan_changed_at=now,
        tokens_valid_from=now,
        created_at=now,
    )
    with parts.engine.begin() as connection:
        if not accounts.add(connection, account):
            raise Problem("email_taken")
        events.account_created(connection, account.id, now)
        return account, tokens.begin(connection, parts, account)


def sign_in(parts: Parts, email: str, password: str, address: str) -> Tokens:
    """The tokens of a new sign-in; refuses with `too_many_requests` or `bad_credentials`."""
    key = emails.key(email)
    account = proven(
        parts,
        parts.policy.failed_sign_ins,
        sign_in_subject(address, key),
        password,
        lambda connection: accounts.find_by_email(connection, key),
    )
    if account:
        with parts.engine.begin() as connection:
            current = held(connection, account)
            if current:
                return tokens.begin(connection, parts, current)
    raise Problem("bad_credentials")


def _count_sign_up(parts: Parts, address: str) -> None:
    limit = parts.policy.sign_ups
    now = parts.clock()
    with parts.engine.begin() as connection:
        if attempts.count(connection, limit, address, now) <= limit.times:
            return
        seconds = attempts.wait_s(connection, limit, address, now)
    raise Problem("too_many_requests", retry_after=max(1, seconds))
