"""Sharing a game with accounts: one accepts an invitation to it, and may leave it again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import authors, due_store, invitation_store, names, share_store
from services.sessions.adapters.tables import games, outbox
from services.sessions.application.endings import orphaned, share_ended
from services.sessions.application.invitations import game_of, open_door, require_room
from services.sessions.domain.invitation import Invitation, Share
from services.sessions.domain.roles import OWNER
from shared.bus.outbox import append
from shared.web.problems import Problem


@dataclass(frozen=True, slots=True)
class Welcomed:
    """An account that accepted `invitation`: its role in the game now, and the invitation that gave it.

    Its owner has the game already, and has been given nothing.
    """

    invitation: Invitation
    role: str
    invitation_id: UUID

    @property
    def is_shared(self) -> bool:
        """Whether the game is another's, shared with the account."""
        return self.role != OWNER


class Sharing:
    """The use cases of an account that is invited; `reader` is in autocommit mode, `engine` is not."""

    def __init__(
        self, engine: Engine, reader: Engine, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._now = now

    def accept(self, account_id: UUID, code: str, traceparent: str | None = None) -> Welcomed:
        """Have the game that the invitation with this code is to shared with the account; again is fine.

        Where it is already, by this or another invitation, only one that allows more changes anything.
        Raises `Problem`: invitation_unknown, invitation_ended, too_many_guests, unauthenticated.
        """
        game_id = game_of(self._reader, code)
        with self._engine.begin() as connection:
            # The account's deletion takes the same lock: it finds this share, or is found by it.
            names.hold(connection, account_id, to_change=False)
            if authors.is_deleted(connection, account_id):
                raise Problem("unauthenticated")
            door = open_door(connection, game_id, code, self._now)
            invitation = door.invitation
            if door.owner_id == account_id:
                return Welcomed(invitation, OWNER, invitation.id)
            having = share_store.having(connection, game_id, account_id)
            there = having.shared if having else None
            if there is not None and there.allows(invitation.role):
                return Welcomed(invitation, there.role, there.invitation_id)
            require_room(connection, invitation)
            now = door.now if there is None else _after(there.granted_at, door.now)
            share = Share(game_id, account_id, invitation.role, invitation.id, now)
            share_store.put(connection, share)
            if there is None:
                due_store.note(connection, games.c.id == game_id)
            else:
                # Open streams stand on the invitation of before: they come back on this one.
                append(connection, outbox, [share_ended(game_id, account_id, now, traceparent)])
        return Welcomed(invitation, share.role, share.invitation_id)

    def leave(self, account_id: UUID, game_id: UUID, traceparent: str | None = None) -> None:
        """Have the game no longer; the last one to leave a game without owner leaves it to the purge.

        Raises `Problem` not_found where it is not shared with the account.
        """
        with self._engine.begin() as connection:
            game = invitation_store.hold(connection, game_id)
            since = share_store.remove(connection, game_id, account_id) if game else None
            if game is None or since is None:
                raise Problem("not_found")
            now = _after(since, self._now())
            due_store.note(connection, games.c.id == game_id)
            facts = [share_ended(game_id, account_id, now, traceparent)]
            if game.is_orphaned and not share_store.is_shared(connection, game_id):
                facts.append(orphaned(game.owner_id, now, traceparent))
            append(connection, outbox, facts)


def _after(earlier: datetime, now: datetime) -> datetime:
    """`now`, or the first moment after `earlier` where another clock was ahead: what was then ends by it."""
    return max(now, earlier + timedelta(microseconds=1))
