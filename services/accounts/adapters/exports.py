"""What accounts keeps about one person besides the account itself, as rows without secrets."""

from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Select, select

from services.accounts.adapters import players
from services.accounts.adapters.tables import families, password_resets, plan_changes, plus_codes


def gather(connection: Connection, account_id: UUID) -> dict[str, Any]:
    """Lists by kind: players, plan changes, sign-ins, redeemed codes, password reset links."""
    sign_ins = select(
        families.c.id,
        families.c.started_at,
        families.c.issued_at.label("last_used_at"),
        families.c.expires_at,
        families.c.ended_at,
        families.c.ended_by,
    )
    plans = select(plan_changes.c.plan, plan_changes.c.source, plan_changes.c.changed_at)
    resets = select(password_resets.c.created_at, password_resets.c.expires_at)
    return {
        "players": players.everything(connection, account_id),
        "plan_changes": _rows(
            connection, plans.where(plan_changes.c.account_id == account_id).order_by(plan_changes.c.id)
        ),
        "sign_ins": _rows(
            connection, sign_ins.where(families.c.account_id == account_id).order_by(families.c.id)
        ),
        "redeemed_codes": _rows(
            connection, select(plus_codes.c.redeemed_at).where(plus_codes.c.redeemed_by == account_id)
        ),
        "password_resets": _rows(connection, resets.where(password_resets.c.account_id == account_id)),
    }


def _rows(connection: Connection, statement: Select[Any]) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in connection.execute(statement)]
