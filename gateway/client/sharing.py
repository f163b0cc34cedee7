"""The documents of a shared game as types: roles, invitations, guests' tokens, who watches."""

from typing import Literal, TypedDict

Role = Literal["owner", "recorder", "viewer"]
_BY_RIGHTS = ("viewer", "recorder", "owner")


def allows_more(role: str | None, than: str | None) -> bool:
    """Whether `role` allows more than another one; None, and one that is not known here, allow nothing."""
    return _rank(role) > _rank(than)


def _rank(role: str | None) -> int:
    return _BY_RIGHTS.index(role) if role in _BY_RIGHTS else -1


class Presence(TypedDict):
    """One device that watches a game, or several of the same name: `streams` counts them."""

    device: str | None
    account_id: str | None
    guest_id: str | None
    role: Role
    streams: int


class Access(TypedDict):
    """What the bearer of a token may do with a game, and until when."""

    game_id: str
    version: int
    role: Role
    owner_id: str
    expires_at: str
    issued_at: str
    account_id: str | None
    sign_in: str | None
    guest_id: str | None
    invitation_id: str | None
    joined_at: str | None


class Invitation(TypedDict):
    """An invitation as the owner sees it; `guests` counts how often it was accepted, by accounts too."""

    id: str
    role: Role
    status: Literal["active", "expired", "revoked"]
    created_at: str
    expires_at: str
    revoked_at: str | None
    guests: int


class NewInvitation(TypedDict):
    """A new invitation with what is told only once: the code, alone, in a link, and as an SVG image."""

    id: str
    role: Role
    code: str
    url: str
    qr: str
    created_at: str
    expires_at: str


class GuestAnswer(TypedDict):
    """A guest's token, good for one game until the invitation ends."""

    access_token: str
    token_type: str
    expires_in: int
    expires_at: str
    game_id: str
    role: Role
    invitation_id: str
    guest_id: str
    shared: bool


class AccountAnswer(TypedDict):
    """What an account that accepted may do with the game, by its own token: it is given no other."""

    access_token: None
    token_type: str | None
    expires_in: None
    expires_at: None
    game_id: str
    role: Role
    invitation_id: str
    guest_id: None
    shared: bool
