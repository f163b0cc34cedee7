"""What sessions knows of people: by accounts' events, for tokens, plans and the names on seats."""

import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert

from services.sessions.adapters import due_store, names, share_store
from services.sessions.adapters.players import Players
from services.sessions.adapters.rules import Away
from services.sessions.adapters.tables import ended_sign_ins, games, outbox, people, seats
from services.sessions.application.endings import access_ended, orphaned
from services.sessions.domain.roles import FREE
from shared.bus.consumer import TemporaryFault
from shared.bus.outbox import append
from shared.web.tokens import Identity

KNOWN_FOR_S = 0.25
CACHE_SIZE = 10_000
# One row always: what is known of an account and of one of its sign-ins.
_KNOWN = text(
    "SELECT p.tokens_valid_from, p.deleted_at, p.plan, p.plan_changed_at,"
    " EXISTS (SELECT 1 FROM ended_sign_ins WHERE family = CAST(:family AS uuid)) AS has_ended"
    " FROM (SELECT CAST(:account_id AS uuid) AS account_id) asked LEFT JOIN people p USING (account_id)"
)


class People:
    """Answers what a token alone cannot: whether it was ended before its time, and the plan of today.

    What the database says of an account is kept for a quarter of a second.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], tuple[float, Any]] = {}

    def denied(self, identity: Identity) -> bool:
        """Whether the token of `identity` was ended by sign-out, a new password or deletion."""
        row = self._row(identity)
        if row.has_ended or row.deleted_at is not None:
            return True
        return row.tokens_valid_from is not None and identity.issued_at < row.tokens_valid_from.timestamp()

    def plan(self, identity: Identity) -> str:
        """The plan that counts: the token's, unless accounts told of a change after the token was made."""
        row = self._row(identity)
        if row.plan is None or row.plan_changed_at.timestamp() <= identity.issued_at:
            return identity.plan
        return str(row.plan)

    def told_plan(self, account_id: UUID) -> str | None:
        """The plan that accounts told of last; None where they never told of a change.

        A deleted account has none but the one that everybody has.
        """
        row = self._row_of(str(account_id), "")
        plan: str | None = FREE if row.deleted_at is not None else row.plan
        return plan

    def _row(self, identity: Identity) -> Any:
        return self._row_of(identity.account_id, identity.family)

    def _row_of(self, account_id: str, family: str) -> Any:
        key = (account_id, family)
        now = self._clock()
        known = self._known.get(key)
        if known is not None and now - known[0] < KNOWN_FOR_S:
            return known[1]
        with self._engine.connect() as connection:
            row = connection.execute(_KNOWN, {"account_id": account_id, "family": family or None}).one()
        with self._lock:
            if len(self._known) >= CACHE_SIZE:
                self._known.clear()
            self._known[key] = (now, row)
        return row


Handler = Callable[[Connection, Any], None]


def handlers(
    players: Players, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Mapping[str, Handler]:
    """What to do at each event of accounts; each runs in the consumer's transaction and may run again."""

    def tokens_revoked(connection: Connection, event: Any) -> None:
        before = datetime.fromisoformat(event.data["before"])
        account_id = UUID(event.data["account_id"])
        row = insert(people).values(account_id=account_id, tokens_valid_from=before)
        connection.execute(
            row.on_conflict_do_update(
                index_elements=["account_id"],
                set_={"tokens_valid_from": func.greatest(people.c.tokens_valid_from, before)},
            )
        )
        append(connection, outbox, [access_ended("tokens", account_id, now(), before=before)])

    def sign_in_ended(connection: Connection, event: Any) -> None:
        family = UUID(event.data["family"])
        row = insert(ended_sign_ins).values(family=family, ended_at=now())
        connection.execute(row.on_conflict_do_nothing())
        append(connection, outbox, [access_ended("sign_in", family, now())])

    def plan_changed(connection: Connection, event: Any) -> None:
        changed_at = datetime.fromisoformat(event.data["changed_at"])
        values = {"plan": event.data["plan"], "plan_changed_at": changed_at}
        row = insert(people).values(account_id=UUID(event.data["account_id"]), **values)
        connection.execute(
            row.on_conflict_do_update(
                index_elements=["account_id"],
                set_=values,
                where=or_(people.c.plan_changed_at.is_(None), people.c.plan_changed_at < changed_at),
            )
        )

    def account_deleted(connection: Connection, event: Any) -> None:
        account_id = UUID(event.data["account_id"])
        names.hold(connection, account_id, to_change=True)
        # Before anything else is locked: what is finished just now is seen below, or sees this.
        had = share_store.hold_all(connection, account_id)
        row = insert(people).values(account_id=account_id, deleted_at=now())
        connection.execute(
            row.on_conflict_do_update(
                index_elements=["account_id"],
                set_={"deleted_at": func.coalesce(people.c.deleted_at, row.excluded.deleted_at)},
            )
        )
        append(connection, outbox, [access_ended("account", account_id, now()), orphaned(account_id, now())])
        share_store.remove_account(connection, account_id)
        due_store.note(connection, games.c.id.in_(had))
        theirs = select(games.c.id).where(games.c.account_id == account_id)
        # Those who keep a game see it without its names; nobody makes it once more, so its request may go.
        kept = share_store.of_game(games.c.id)
        connection.execute(
            update(games)
            .where(games.c.account_id == account_id, kept)
            .values(request={}, updated_at=func.greatest(now(), games.c.updated_at))
        )
        connection.execute(
            update(seats).where(seats.c.game_id.in_(theirs)).values(name="", player_id=None, saved_id=None)
        )

    def player_changed(connection: Connection, event: Any) -> None:
        """Read the player again: its name, or whom it counts as after a merge."""
        account_id, player_id = UUID(event.data["account_id"]), UUID(event.data["player_id"])
        names.hold(connection, account_id, to_change=True)
        concerned = connection.execute(
            select(seats.c.saved_id)
            .distinct()
            .where(or_(seats.c.saved_id == player_id, seats.c.player_id == player_id))
        ).scalars()
        try:
            found = players.named(account_id, [saved for saved in concerned if saved])
        except Away as error:
            raise TemporaryFault("accounts") from error
        for player in found.values():
            changed = connection.execute(
                update(seats)
                .where(
                    seats.c.saved_id == player.saved_id,
                    or_(seats.c.name != player.name, seats.c.player_id != player.player_id),
                )
                .values(name=player.name, player_id=player.player_id)
                .returning(seats.c.game_id)
            ).scalars()
            concerned_games = games.c.id.in_(list(changed))
            connection.execute(update(games).where(concerned_games).values(updated_at=now()))
            due_store.note(connection, concerned_games)

    return {
        "accounts.tokens.revoked": tokens_revoked,
        "accounts.sign_in.ended": sign_in_ended,
        "accounts.plan.changed": plan_changed,
        "accounts.account.deleted": account_deleted,
        "accounts.player.changed": player_changed,
    }
