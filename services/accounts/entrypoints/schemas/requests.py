"""What requests may hold; anything else is refused."""

from marshmallow import RAISE, Schema, fields, validate

from services.accounts.domain.players import NAME_MAX_LENGTH
from services.accounts.entrypoints.schemas.cursor import Cursor
from services.accounts.entrypoints.schemas.fields import (
    Colour,
    Email,
    Locale,
    Name,
    NewPassword,
    Password,
    StrictBoolean,
    Text,
)

TOKEN_MAX_LENGTH = 256
DISPLAY_NAME_MAX_LENGTH = 60
PAGE = 50
PAGE_MAX = 200
CHOICES = {"true": True, "false": False, "all": None}


class Request(Schema):
    """A body without fields it does not know."""

    class Meta:
        unknown = RAISE


class SignUpIn(Request):
    """Somebody new."""

    email = Email(required=True)
    password = NewPassword(required=True)
    display_name = Name(DISPLAY_NAME_MAX_LENGTH, allow_none=True)
    locale = Locale(allow_none=True)


class SignInIn(Request):
    """Credentials; whatever they look like, they are right or wrong."""

    email = Text(TOKEN_MAX_LENGTH, required=True)
    password = Password(required=True)


class RefreshIn(Request):
    """The newest refresh token of a sign-in."""

    refresh_token = Text(TOKEN_MAX_LENGTH, required=True)


class SignOutQuery(Schema):
    """Whether every sign-in of the account ends."""

    everywhere = fields.Boolean(load_default=False)


class ResetIn(Request):
    """A one-time code of an operator and the new password."""

    code = Text(TOKEN_MAX_LENGTH, required=True)
    password = NewPassword(required=True)


class ProfileIn(Request):
    """What a person may change about themselves."""

    display_name = Name(DISPLAY_NAME_MAX_LENGTH, allow_none=True)
    locale = Locale(allow_none=True)


class DeletionIn(Request):
    """The password, once more."""

    password = Password(required=True)


class PasswordIn(Request):
    """The old password and the new one."""

    current_password = Password(required=True)
    new_password = NewPassword(required=True)


class PlusIn(Request):
    """A code for Plus, in any spelling."""

    code = Text(64, required=True)


class PlayerIn(Request):
    """A new saved player; with the client's `id` the request can be repeated safely."""

    id = fields.UUID()
    name = Name(NAME_MAX_LENGTH, required=True)
    colour = Colour(allow_none=True, load_default=None)


class PlayerChangeIn(Request):
    """What may change about a player."""

    name = Name(NAME_MAX_LENGTH)
    colour = Colour(allow_none=True)
    archived = StrictBoolean()


class MergeIn(Request):
    """The player that shall stand for this one."""

    into = fields.UUID(required=True)


class PlayersQuery(Schema):
    """Which players, and where the page begins."""

    limit = fields.Integer(load_default=PAGE, validate=validate.Range(1, PAGE_MAX))
    cursor = Cursor()
    archived = fields.String(load_default="false", validate=validate.OneOf(list(CHOICES)))
    merged = fields.String(load_default="false", validate=validate.OneOf(list(CHOICES)))
