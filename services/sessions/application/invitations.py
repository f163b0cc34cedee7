"""Invitations: letting others take part in a game, without an account too, and ending that at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import due_store, invitation_store, share_store
from services.sessions.adapters.secrets import GUEST, hashed, is_code, new_secret
from services.sessions.adapters.tables import games, outbox
from services.sessions.application.endings import access_ended
from services.sessions.domain.invitation import Invitation
from services.sessions.domain.roles import PLUS
from shared.bus.outbox import append
from shared.storage.ids import new_id
from shared.web.problems import Problem
from shared.web.tokens import Identity

IN_FORCE_LIMIT = 20
EVER_LIMIT = 200
GUESTS_LIMIT = 50


@dataclass(frozen=True, slots=True)
class Issued:
    """A new invitation with its code, which is told this once."""

    invitation: Invitation
    code: str


@dataclass(frozen=True, slots=True)
class Admitted:
    """Who came by an invitation, with the token that is told this once and is good for `expires_in_s`."""

    invitation: Invitation
    guest_id: UUID
    token: str
    expires_in_s: int


class Invitations:
    """The use cases around invitations; `reader` is in autocommit mode, `engine` has transactions.

    `plan` tells which plan counts for an account now.
    """

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        plan: Callable[[Identity], str],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        secret: Callable[[], str] = new_secret,
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._plan = plan
        self.now = now
        self._secret = secret

    def create(self, owner: Identity, game_id: UUID, role: str, expires_in_s: int) -> Issued:
        """Invite to the owner's game.

        Raises `Problem`: not_found, plus_required, game_in_bin, too_many_invitations.
        """
        self._check_owner(UUID(owner.account_id), game_id)
        if self._plan(owner) != PLUS:
            raise Problem("plus_required")
        code = self._secret()
        with self._engine.begin() as connection:
            game = invitation_store.hold(connection, game_id)
            if game is None:
                raise Problem("not_found")
            if game.is_binned:
                raise Problem("game_in_bin")
            now = self.now()
            in_force, ever = invitation_store.counts(connection, game_id, now)
            if in_force >= IN_FORCE_LIMIT or ever >= EVER_LIMIT:
                raise Problem("too_many_invitations")
            expires_at = now + timedelta(seconds=expires_in_s)
            invitation = Invitation(new_id(), game_id, role, now, expires_at)
            invitation_store.add(connection, invitation, hashed(code))
        return Issued(invitation, code)

    def listed(
        self, account_id: UUID, game_id: UUID, before: UUID | None, limit: int
    ) -> Sequence[tuple[Invitation, int]]:
        """At most `limit` invitations to the account's game with how many came by each, newest first.

        `before` is the last one of the page before. Raises `Problem` not_found.
        """
        self._check_owner(account_id, game_id)
        with self._reader.connect() as connection:
            return invitation_store.listed(connection, game_id, before, limit)

    def revoke(
        self, account_id: UUID, game_id: UUID, invitation_id: UUID, traceparent: str | None = None
    ) -> None:
        """End an invitation to the account's game, every token given for it and every share; again is fine.

        Raises `Problem` not_found.
        """
        self._check_owner(account_id, game_id)
        now = self.now()
        with self._engine.begin() as connection:
            # So that nobody is just accepting it.
            invitation_store.hold(connection, game_id)
            revoked = invitation_store.revoke(connection, game_id, invitation_id, now)
            if revoked is None:
                raise Problem("not_found")
            if revoked:
                if share_store.remove_invited(connection, invitation_id):
                    due_store.note(connection, games.c.id == game_id)
                fact = access_ended("invitation", invitation_id, now, traceparent=traceparent)
                append(connection, outbox, [fact])

    def accept(self, code: str) -> Admitted:
        """Come by the invitation with this code, as one guest more.

        Raises `Problem`: invitation_unknown, invitation_ended, too_many_guests.
        """
        game_id = game_of(self._reader, code)
        token, guest_id = GUEST + self._secret(), new_id()
        with self._engine.begin() as connection:
            door = open_door(connection, game_id, code, self.now)
            require_room(connection, door.invitation)
            invitation_store.add_guest(connection, guest_id, door.invitation, hashed(token), door.now)
        expires_in = door.invitation.expires_at - door.now
        return Admitted(door.invitation, guest_id, token, int(expires_in.total_seconds()))

    def _check_owner(self, account_id: UUID, game_id: UUID) -> None:
        with self._reader.connect() as connection:
            if invitation_store.version(connection, account_id, game_id) is None:
                raise Problem("not_found")


@dataclass(frozen=True, slots=True)
class Door:
    """An invitation that counts `now`, to a game of `owner_id` that is held until the transaction ends."""

    invitation: Invitation
    owner_id: UUID
    now: datetime


def game_of(reader: Engine, code: str) -> UUID:
    """The game that the invitation with this code is to; raises `Problem` invitation_unknown."""
    if not is_code(code):
        raise Problem("invitation_unknown")
    with reader.connect() as connection:
        found = invitation_store.by_code(connection, hashed(code))
    if found is None:
        raise Problem("invitation_unknown")
    return found.game_id


def open_door(connection: Connection, game_id: UUID, code: str, clock: Callable[[], datetime]) -> Door:
    """Hold the game and look at the invitation to it; raises `Problem` invitation_ended."""
    game = invitation_store.hold(connection, game_id)
    invitation = invitation_store.by_code(connection, hashed(code))
    now = clock()
    if game is None or game.is_binned or game.is_orphaned:
        raise Problem("invitation_ended")
    if invitation is None or not invitation.is_active(now):
        raise Problem("invitation_ended")
    return Door(invitation, game.owner_id, now)


def require_room(connection: Connection, invitation: Invitation) -> None:
    """Raise `Problem` too_many_guests where the invitation was accepted as often as it can be."""
    if invitation_store.accepted_count(connection, invitation.id) >= GUESTS_LIMIT:
        raise Problem("too_many_guests")
