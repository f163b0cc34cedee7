"""The bodies around invitations: checked on the way in, documented on the way out."""

from marshmallow import Schema, fields, validate

from services.sessions.domain.roles import INVITED, OWNER
from services.sessions.entrypoints.schemas import CanonicalUUID

DAY_S = 24 * 3600
ROLES = validate.OneOf(INVITED)


class InvitationIn(Schema):
    """A new invitation."""

    role = fields.String(required=True, validate=ROLES)
    expires_in = fields.Integer(
        strict=True,
        load_default=DAY_S,
        validate=validate.Range(60, 30 * DAY_S),
        metadata={"description": "seconds; a day unless given"},
    )


class InvitationIssued(Schema):
    """A new invitation with its secret, which is told this once."""

    id = fields.UUID(required=True)
    role = fields.String(required=True, validate=ROLES)
    code = fields.String(required=True, metadata={"description": "43 characters; kept nowhere"})
    url = fields.String(required=True, metadata={"description": "the link to send, with the code in it"})
    qr = fields.String(required=True, metadata={"description": "the link as a QR code: an SVG document"})
    created_at = fields.DateTime(required=True)
    expires_at = fields.DateTime(required=True)


class InvitationOut(Schema):
    """An invitation as its game's owner sees it later."""

    id = fields.UUID(required=True)
    role = fields.String(required=True, validate=ROLES)
    status = fields.String(required=True, validate=validate.OneOf(["active", "expired", "revoked"]))
    created_at = fields.DateTime(required=True)
    expires_at = fields.DateTime(required=True)
    revoked_at = fields.DateTime(required=True, allow_none=True)
    guests = fields.Integer(
        required=True,
        metadata={"description": "how often it was accepted, by accounts that still have the game too"},
    )


class InvitationsQuery(Schema):
    """Which invitations to list, newest first."""

    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))
    cursor = CanonicalUUID(metadata={"description": "next_cursor of the page before"})


class InvitationsOut(Schema):
    """A page of invitations."""

    items = fields.List(fields.Nested(InvitationOut), required=True)
    next_cursor = fields.String(required=True, allow_none=True)


class AcceptIn(Schema):
    """The code of an invitation."""

    code = fields.String(required=True, validate=validate.Length(1, 256))


class AcceptedOut(Schema):
    """What an invitation gives. A guest: a token for one game alone, told this once, that ends with it.

    An account is given none: it uses the game with its own token, and what only guests have is null.
    """

    access_token = fields.String(required=True, allow_none=True)
    token_type = fields.String(required=True, allow_none=True)
    expires_in = fields.Integer(required=True, allow_none=True, metadata={"description": "seconds"})
    expires_at = fields.DateTime(required=True, allow_none=True)
    game_id = fields.UUID(required=True)
    role = fields.String(
        required=True,
        validate=validate.OneOf([OWNER, *INVITED]),
        metadata={"description": "in the game now; `owner` where the account has invited itself"},
    )
    invitation_id = fields.UUID(
        required=True, metadata={"description": "which gave the role; withdrawing it ends that"}
    )
    guest_id = fields.UUID(required=True, allow_none=True)
    shared = fields.Boolean(
        required=True,
        metadata={"description": "whether the game is among those of the account that asked now"},
    )


class AccessOut(Schema):
    """What the bearer may do with a game, and until when: as an account or as a guest."""

    game_id = fields.UUID(required=True)
    version = fields.Integer(required=True)
    role = fields.String(required=True, validate=validate.OneOf([OWNER, *INVITED]))
    owner_id = fields.UUID(required=True, metadata={"description": "the account whose game it is, or was"})
    issued_at = fields.DateTime(required=True)
    expires_at = fields.DateTime(required=True)
    account_id = fields.UUID(required=True, allow_none=True)
    sign_in = fields.UUID(
        required=True, allow_none=True, metadata={"description": "the sign-in that the token comes from"}
    )
    guest_id = fields.UUID(required=True, allow_none=True)
    invitation_id = fields.UUID(required=True, allow_none=True)
    joined_at = fields.DateTime(
        required=True, allow_none=True, metadata={"description": "when the invitation was accepted"}
    )
