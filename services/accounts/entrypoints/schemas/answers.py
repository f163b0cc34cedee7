"""What answers look like; they are dumped from the service's own objects."""

from datetime import datetime
from typing import Any

from marshmallow import Schema, fields, validate

from services.accounts.domain import languages


class Moment(fields.DateTime):
    """A time in RFC 3339, UTC."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("iso", **kwargs)

    def _serialize(self, value: datetime | None, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        if value is None:
            return None
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plan() -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(["free", "plus"]))


def _perhaps(field: type[fields.Field[Any]], **kwargs: Any) -> fields.Field[Any]:
    return field(required=True, allow_none=True, **kwargs)


class AccountOut(Schema):
    """A person's account."""

    id = fields.UUID(required=True)
    email = fields.String(required=True)
    display_name = _perhaps(fields.String)
    locale = fields.String(
        required=True, allow_none=True, validate=validate.OneOf([*languages.LANGUAGES, None])
    )
    plan = _plan()
    created_at = Moment(required=True)


class TokensOut(Schema):
    """An access token for the next `expires_in` seconds and the refresh token that follows it."""

    access_token = fields.String(required=True)
    refresh_token = fields.String(required=True)
    token_type = fields.String(required=True, validate=validate.Equal("Bearer"))
    expires_in = fields.Integer(required=True)


class SignedUpOut(TokensOut):
    """A new account with its first tokens."""

    account = fields.Nested(AccountOut, required=True)


class PlanOut(Schema):
    """The plan and since when."""

    plan = _plan()
    changed_at = Moment(required=True, attribute="plan_changed_at")


class PlayerOut(Schema):
    """A saved player; `merged_into` is the player that stands for it."""

    id = fields.UUID(required=True, attribute="player.id")
    name = fields.String(required=True, attribute="player.name")
    colour = _perhaps(fields.String, attribute="player.colour")
    archived = fields.Boolean(required=True, attribute="player.archived")
    merged_into = _perhaps(fields.UUID)
    created_at = Moment(required=True, attribute="player.created_at")
    updated_at = Moment(required=True, attribute="player.updated_at")


class PlayersOut(Schema):
    """A page of players."""

    items = fields.List(fields.Nested(PlayerOut), required=True)
    next_cursor = _perhaps(fields.String)


class KeyOut(Schema):
    """A public key (RFC 8037)."""

    kty = fields.String(required=True)
    crv = fields.String(required=True)
    x = fields.String(required=True)
    kid = fields.String(required=True)
    use = fields.String(required=True)
    alg = fields.String(required=True)


class KeySetOut(Schema):
    """A JWK set (RFC 7517)."""

    keys = fields.List(fields.Nested(KeyOut), required=True)
