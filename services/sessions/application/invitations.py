"""Invitations: letting others take part in a game without an account, and ending that at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import invitation_store
from services.sessions.adapters.secrets import GUEST, hashed, is_code, new_secret
from services.sessions.adapters.tables import outbox
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
        """End an invitation to the account's game and every token given for it; again is fine.

        Raises `Problem` not_found.
        """
        self._check_owner(account_id, game_id)
        now = self.now()
        with self._engine.begin() as connection:
            revoked = invitation_store.revoke(connection, game_id, invitation_id, now)
            if revoked is None:
                raise Problem("not_found")
            if revoked:
                fact = access_ended("invitation", invitation_id, now, traceparent=traceparent)
                append(connection, outbox, [fact])

    def accept(self, code: str) -> Admitted:
        """Come by the invitation with this code, as one guest more.

        Raises `Problem`: invitation_unknown, invitation_ended, too_many_guests.
        """
        if not is_code(code):
            raise Problem("invitation_unknown")
        with self._reader.connect() as connection:
            found = invitation_store.by_code(connection, hashed(code))
        if found is None:
            raise Problem("invitation_unknown")
        token, guest_id = GUEST + self._secret(), new_id()
        with self._engine.begin() as connection:
            game = invitation_store.hold(connection, found.game_id)
            invitation = invitation_store.by_code(connection, hashed(code))
            now = self.now()
            if game is None or game.is_binned or game.is_orphaned:
                raise Problem("invitation_ended")
            if invitation is None or not invitation.is_active(now):
                raise Problem("invitation_ended")
            if invitation_store.guest_count(connection, invitation.id) >= GUESTS_LIMIT:
                raise Problem("too_many_guests")
            invitation_store.add_guest(connection, guest_id, invitation, hashed(token), now)
        return Admitted(invitation, guest_id, token, int((invitation.expires_at - now).total_seconds()))

    def _check_owner(self, account_id: UUID, game_id: UUID) -> None:
        with self._reader.connect() as connection:
            if invitation_store.version(connection, account_id, game_id) is None:
                raise Problem("not_found")
