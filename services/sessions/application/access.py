"""What the bearer of a token may do: all with its account's own games, with others' by role."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import conflict_store, invitation_store, share_store
from services.sessions.adapters.secrets import GUEST, hashed
from services.sessions.domain.log import By
from services.sessions.domain.roles import OWNER, PLUS, RIGHTS, Right
from shared.web.problems import Problem
from shared.web.tokens import Identity

OWN_GAMES_KNOWN = 10_000


@dataclass(frozen=True, slots=True)
class Access:
    """What a bearer may do with the games of `owner_id`.

    A guest, and an account that a game is shared with, have one of them, `game_id`, at `version`. The role of
    an owner is what counts if the account has that game, which loading it shows. `identity` is None for
    guests.
    """

    role: str
    owner_id: UUID
    by: By
    issued_at: datetime
    expires_at: datetime
    identity: Identity | None = None
    game_id: UUID | None = None
    version: int | None = None
    invitation_id: UUID | None = None
    joined_at: datetime | None = None

    @property
    def is_shared(self) -> bool:
        """Whether it is an account's to a game of another's."""
        return self.identity is not None and self.role != OWNER

    def document(self, game_id: UUID, version: int) -> dict[str, Any]:
        """The access to one game as it is told to its bearer."""
        return {
            "game_id": game_id,
            "version": version,
            "role": self.role,
            "owner_id": self.owner_id,
            "issued_at": self.issued_at,
            "expires_at": self.expires_at,
            "account_id": self.by.account_id,
            "sign_in": self.identity.family or None if self.identity else None,
            "guest_id": self.by.guest_id,
            "invitation_id": self.invitation_id,
            "joined_at": self.joined_at,
        }


class Rights:
    """Looks up what a token allows, anew for every request; `reader` is in autocommit mode.

    `verify` gives the identity behind an access token or raises `Problem`; `plan` tells which plan counts for
    it now, `told_plan` what accounts told of an account's plan, if they did.
    """

    def __init__(
        self,
        reader: Engine,
        verify: Callable[[str], Identity],
        plan: Callable[[Identity], str],
        told_plan: Callable[[UUID], str | None],
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._reader = reader
        self._verify = verify
        self._plan = plan
        self._told_plan = told_plan
        self._now = now
        self._own: set[tuple[UUID, UUID]] = set()

    def access(self, token: str, right: Right, game_id: UUID | None) -> Access:
        """The access that `token` gives to a game, or to an account's games as a whole (None).

        Raises `Problem`: unauthenticated, role_insufficient, and not_found for another game than a guest's.
        """
        if token.startswith(GUEST):
            return self._guest(token, right, game_id)
        access = _owner(self._verify(token))
        return access if game_id is None else self._account(access, right, game_id)

    def access_by_conflict(self, token: str, right: Right, conflict_id: UUID) -> Access:
        """The access that `token` gives to the game that a conflict is about, whoever's it is.

        Raises `Problem` as `access` does.
        """
        identity = None if token.startswith(GUEST) else self._verify(token)
        with self._reader.connect() as connection:
            game_id = conflict_store.game_of(connection, conflict_id) or conflict_id
        if identity is None:
            return self._guest(token, right, game_id)
        return self._account(_owner(identity), right, game_id)

    def account(self, token: str | None) -> Identity | None:
        """The account behind `token`; None without one, and for a guest's, which is no account's.

        Raises `Problem` unauthenticated.
        """
        return None if token is None or token.startswith(GUEST) else self._verify(token)

    def require_plus(self, access: Access, game_id: UUID) -> None:
        """Refuse what needs the plan Plus where the owner of the game has not got it.

        In another's game that of its owner counts, who had Plus to invite, until accounts tell that it has
        lapsed or the account is deleted. Raises `Problem`: not_found where the account has no such game,
        plus_required.
        """
        if access.identity is None or access.is_shared:
            plan = self._told_plan(access.owner_id) or PLUS
        else:
            with self._reader.connect() as connection:
                is_theirs = invitation_store.version(connection, access.owner_id, game_id) is not None
            if not is_theirs:
                raise Problem("not_found")
            plan = self._plan(access.identity)
        if plan != PLUS:
            raise Problem("plus_required")

    def require_plus_by_conflict(self, access: Access, conflict_id: UUID) -> None:
        """The same for the game that a conflict is about; raises `Problem` not_found where there is none."""
        with self._reader.connect() as connection:
            game_id = conflict_store.game_of(connection, conflict_id)
        if game_id is None:
            raise Problem("not_found")
        self.require_plus(access, game_id)

    def described(self, access: Access, game_id: UUID) -> dict[str, Any]:
        """The access to this game as a document; raises `Problem` not_found where the account has no such."""
        version = access.version
        if version is None:
            with self._reader.connect() as connection:
                version = invitation_store.version(connection, access.owner_id, game_id)
        if version is None:
            raise Problem("not_found")
        return access.document(game_id, version)

    def _account(self, own: Access, right: Right, game_id: UUID) -> Access:
        """How the account has the game; `own` where it is its own, or nothing of its."""
        account_id = own.owner_id
        if (game_id, account_id) in self._own:
            return own
        with self._reader.connect() as connection:
            found = share_store.having(connection, game_id, account_id)
        if found is None:
            return own
        if found.owner_id == account_id:
            # That stays so as long as there is the game: asked once, not for every play.
            if len(self._own) >= OWN_GAMES_KNOWN:
                self._own.clear()
            self._own.add((game_id, account_id))
            return own
        share = found.shared
        if share is None or found.is_binned:
            return own
        if right not in RIGHTS[share.role]:
            raise Problem("role_insufficient")
        return replace(
            own,
            role=share.role,
            owner_id=found.owner_id,
            game_id=game_id,
            version=found.version,
            invitation_id=share.invitation_id,
            joined_at=share.granted_at,
        )

    def _guest(self, token: str, right: Right, game_id: UUID | None) -> Access:
        with self._reader.connect() as connection:
            guest = invitation_store.by_token(connection, hashed(token))
        if guest is None or not guest.invitation.is_active(self._now()):
            raise Problem("unauthenticated")
        invitation = guest.invitation
        if game_id is not None and (game_id != invitation.game_id or not guest.is_game_open):
            raise Problem("not_found")
        if game_id is None or right not in RIGHTS[invitation.role]:
            raise Problem("role_insufficient")
        return Access(
            invitation.role,
            guest.owner_id,
            By(None, guest.id),
            guest.joined_at,
            invitation.expires_at,
            game_id=invitation.game_id,
            version=guest.version,
            invitation_id=invitation.id,
            joined_at=guest.joined_at,
        )


def _owner(identity: Identity) -> Access:
    account_id = UUID(identity.account_id)
    return Access(
        OWNER,
        account_id,
        By(account_id),
        datetime.fromtimestamp(identity.issued_at, UTC),
        datetime.fromtimestamp(identity.expires_at, UTC),
        identity,
    )
