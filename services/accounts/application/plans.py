"""The plan: granted and revoked by operators, redeemed with a code."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection

from services.accounts.adapters import accounts, attempts, codes
from services.accounts.application import events, tokens
from services.accounts.application.attempts import refuse_if_exhausted
from services.accounts.application.parts import Parts
from services.accounts.domain import codes as writing
from services.accounts.domain import emails
from services.accounts.domain.account import Account
from services.accounts.domain.plans import PLUS, Plan, Source
from shared.web.problems import Problem


def set_plan(parts: Parts, email: str, plan: Plan) -> bool | None:
    """Give the account of `email` this plan: whether that changed anything, None without such an account."""
    with parts.engine.begin() as connection:
        found = accounts.find_by_email(connection, emails.key(email))
        account = accounts.hold(connection, found.id) if found else None
        if account is None:
            return None
        if account.plan == plan:
            return False
        _change(connection, account, plan, "operator", parts.clock())
        return True


def make_codes(parts: Parts, count: int) -> list[str]:
    """`count` new codes for Plus; they are not kept and cannot be shown again."""
    written = [writing.written(parts.random(writing.RANDOM_BYTES)) for _ in range(count)]
    canonical = [code.replace("-", "") for code in written]
    with parts.engine.begin() as connection:
        codes.add_plus_codes(connection, canonical, parts.clock())
    return written


def redeem(parts: Parts, account_id: UUID, typed: str) -> Account:
    """The account with Plus; refuses with `code_used`, `code_unknown`, `too_many_requests`."""
    limit = parts.policy.failed_codes
    subject = str(account_id)
    code = writing.canonical(typed)
    now = parts.clock()
    with parts.engine.begin() as connection:
        refuse_if_exhausted(connection, limit, subject, now)
        account = accounts.hold(connection, account_id)
        if account is None:
            raise Problem("unauthenticated")
        redeemed = codes.redeem(connection, code, account_id, now) if code else None
        if redeemed:
            if account.plan == PLUS:
                return account
            return _change(connection, account, PLUS, "code", now)
        if redeemed is None:
            attempts.count(connection, limit, subject, now)
    raise Problem("code_unknown" if redeemed is None else "code_used")


def _change(connection: Connection, account: Account, plan: Plan, source: Source, now: datetime) -> Account:
    changed_at = tokens.cut(connection, account, now)
    account = replace(account, plan=plan, plan_changed_at=changed_at)
    accounts.change_plan(connection, account, source)
    events.plan_changed(connection, account.id, plan, changed_at, now)
    return account
