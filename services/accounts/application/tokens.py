"""Issuing, renewing and ending tokens. The caller's transaction holds the account."""

from base64 import urlsafe_b64encode
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection

from services.accounts.adapters import accounts, attempts, families
from services.accounts.application import events
from services.accounts.application.attempts import refuse_if_exhausted
from services.accounts.application.parts import Parts
from services.accounts.domain import moments
from services.accounts.domain.account import Account
from services.accounts.domain.families import Family, Verdict, judge
from services.accounts.domain.limits import Limit
from shared.web.problems import Problem

SECRET_BYTES = 32
# Of one sign-in. Each leaves a token that is kept for the refresh life, to know it when it is reused.
REFRESHES = Limit("refresh", 30, 900)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a client gets; `expires_in` is the access token's life in seconds."""

    access_token: str
    refresh_token: str
    expires_in: int
    token_type: str = "Bearer"  # noqa: S105 - RFC 6750's name of the type


def secret(parts: Parts) -> str:
    """256 bits nobody can guess, safe in a link."""
    return urlsafe_b64encode(parts.random(SECRET_BYTES)).rstrip(b"=").decode()


def begin(connection: Connection, parts: Parts, account: Account) -> Tokens:
    """The tokens of a new sign-in."""
    now = parts.clock()
    families.forget(connection, account.id, now)
    family = Family(parts.new_id(), account.id, 0, now, now + parts.policy.refresh_life, None)
    families.start(connection, family, now)
    return _issue(connection, parts, account, family, now)


def refresh(parts: Parts, refresh_token: str) -> Tokens:
    """Fresh tokens for a refresh token; a reused one ends its family.

    Refuses with `bad_refresh_token`, and with `too_many_requests` what would be good otherwise: nothing has
    changed then.
    """
    with parts.engine.begin() as connection:
        owner = families.owner_of(connection, refresh_token)
        account = accounts.hold(connection, owner) if owner else None
        found = families.find(connection, refresh_token) if account else None
        if account and found:
            tokens = _renew(connection, parts, account, *found)
            if tokens:
                return tokens
    raise Problem("bad_refresh_token")


def _renew(
    connection: Connection, parts: Parts, account: Account, family: Family, generation: int
) -> Tokens | None:
    now = parts.clock()
    policy = parts.policy
    match judge(family, generation, now, policy.refresh_grace):
        case Verdict.ENDED:
            return None
        case Verdict.REUSED:
            _end(connection, family.account_id, family.id, now, "reuse")
            return None
        case Verdict.ROTATE:
            family = replace(family, generation=family.generation + 1, rotated_at=now)
            families.forget_tokens(connection, family.id, now - policy.refresh_life)
        case Verdict.REPEAT:
            pass
    refuse_if_exhausted(connection, REFRESHES, str(family.id), now)
    attempts.count(connection, REFRESHES, str(family.id), now)
    family = replace(family, expires_at=now + policy.refresh_life)
    return _issue(connection, parts, account, family, now)


def _issue(connection: Connection, parts: Parts, account: Account, family: Family, now: datetime) -> Tokens:
    issued_at = moments.issue(now, account.tokens_valid_from, account.plan_changed_at)
    refresh_token = secret(parts)
    families.keep(connection, family, refresh_token, issued_at)
    access_token = parts.signer.access_token(account, family.id, issued_at, parts.new_id())
    return Tokens(access_token, refresh_token, parts.signer.token_s)


def sign_out(parts: Parts, account_id: UUID, family_id: UUID) -> None:
    """End the sign-in that `family_id` stands for."""
    with parts.engine.begin() as connection:
        if accounts.hold(connection, account_id):
            _end(connection, account_id, family_id, parts.clock(), "sign_out")


def _end(connection: Connection, account_id: UUID, family_id: UUID, now: datetime, reason: str) -> None:
    families.end(connection, family_id, now, reason)
    events.sign_in_ended(connection, account_id, family_id, now)


def sign_out_everywhere(parts: Parts, account_id: UUID) -> None:
    """End every sign-in of the account and deny every access token issued so far."""
    with parts.engine.begin() as connection:
        account = accounts.hold(connection, account_id)
        if account:
            end_all(connection, parts, account, "everywhere")


def end_all(connection: Connection, parts: Parts, account: Account, reason: str) -> Account:
    """End every token of `account`; returns it as it is then."""
    families.end_all(connection, account.id, parts.clock(), reason)
    return deny_issued(connection, parts, account)


def deny_issued(connection: Connection, parts: Parts, account: Account) -> Account:
    """Deny every access token issued to `account` so far; its sign-ins go on with new ones.

    Returns the account as it is then.
    """
    now = parts.clock()
    before = cut(connection, account, now)
    accounts.change(connection, account.id, tokens_valid_from=before)
    events.tokens_revoked(connection, account.id, before, now)
    return replace(account, tokens_valid_from=before)


def cut(connection: Connection, account: Account, now: datetime) -> datetime:
    """A moment after every token issued to `account` and before any that will be."""
    issued = families.last_issued(connection, account.id) or now
    return moments.cut(now, issued, account.tokens_valid_from, account.plan_changed_at)
