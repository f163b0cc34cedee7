"""What sessions knows of people: by accounts' events, for tokens, plans and the names on seats."""

import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from services.sessions.adapters.players import Players
from services.sessions.adapters.rules import Away
from services.sessions.adapters.tables import games, outbox, people, seats
from shared.bus.consumer import TemporaryFault
from shared.bus.outbox import Fact, append
from shared.web.tokens import Identity

KNOWN_FOR_S = 0.25
CACHE_SIZE = 10_000
FREE = "free"


class People:
    """Answers what a token alone cannot: whether it was ended before its time, and the plan of today.

    What the database says of an account is kept for a quarter of a second.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.monotonic) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, Any]] = {}

    def denied(self, identity: Identity) -> bool:
        """Whether the token of `identity` was ended by sign-out everywhere, a new password or deletion."""
        row = self._row(identity.account_id)
        if row is None:
            return False
        if row.deleted_at is not None:
            return True
        return row.tokens_valid_from is not None and identity.issued_at < row.tokens_valid_from.timestamp()

    def plan(self, identity: Identity) -> str:
        """The plan that counts: the token's, unless accounts told of a change after the token was made."""
        row = self._row(identity.account_id)
        if row is None or row.plan is None or row.plan_changed_at.timestamp() <= identity.issued_at:
            return identity.plan
        return str(row.plan)

    def _row(self, account_id: str) -> Any:
        now = self._clock()
        known = self._known.get(account_id)
        if known is not None and now - known[0] < KNOWN_FOR_S:
            return known[1]
        with self._engine.connect() as connection:
            row = connection.execute(
                select(people).where(people.c.account_id == UUID(account_id))
            ).one_or_none()
        with self._lock:
            if len(self._known) >= CACHE_SIZE:
                self._known.clear()
            self._known[account_id] = (now, row)
        return row


Handler = Callable[[Connection, Any], None]


def handlers(
    players: Players, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Mapping[str, Handler]:
    """What to do at each event of accounts; each runs in the consumer's transaction and may run again."""

    def tokens_revoked(connection: Connection, event: Any) -> None:
        before = datetime.fromisoformat(event.data["before"])
        row = insert(people).values(account_id=UUID(event.data["account_id"]), tokens_valid_from=before)
        connection.execute(
            row.on_conflict_do_update(
                index_elements=["account_id"],
                set_={"tokens_valid_from": func.greatest(people.c.tokens_valid_from, before)},
            )
        )

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
        row = insert(people).values(account_id=account_id, deleted_at=now())
        connection.execute(
            row.on_conflict_do_update(
                index_elements=["account_id"],
                set_={"deleted_at": func.coalesce(people.c.deleted_at, row.excluded.deleted_at)},
            )
        )
        orphaned = Fact("sessions.games.orphaned", str(account_id), {"account_id": str(account_id)})
        append(connection, outbox, [orphaned])
        theirs = select(games.c.id).where(games.c.account_id == account_id)
        connection.execute(
            update(seats).where(seats.c.game_id.in_(theirs)).values(name="", player_id=None, saved_id=None)
        )

    def player_changed(connection: Connection, event: Any) -> None:
        """Read the player again: its name, or whom it counts as after a merge."""
        account_id, player_id = UUID(event.data["account_id"]), UUID(event.data["player_id"])
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
            connection.execute(update(games).where(games.c.id.in_(list(changed))).values(updated_at=now()))

    return {
        "accounts.tokens.revoked": tokens_revoked,
        "accounts.plan.changed": plan_changed,
        "accounts.account.deleted": account_deleted,
        "accounts.player.changed": player_changed,
    }
