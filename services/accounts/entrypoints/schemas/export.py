"""What a person takes along: everything accounts keeps about them, without secrets."""

from marshmallow import Schema, fields

from services.accounts.entrypoints.schemas.answers import AccountOut, Moment


class ExportedAccount(AccountOut):
    """The account with its role, which hardly any has, and the moments kept about it."""

    role = fields.String(required=True, allow_none=True)

    plan_changed_at = Moment(required=True)
    password_changed_at = Moment(required=True)
    tokens_valid_from = Moment(required=True)


class ExportedPlayer(Schema):
    """A saved player, `merged_into` as the person merged it."""

    id = fields.UUID(required=True)
    name = fields.String(required=True)
    colour = fields.String(required=True, allow_none=True)
    archived = fields.Boolean(required=True)
    merged_into = fields.UUID(required=True, allow_none=True, attribute="parent")
    created_at = Moment(required=True)
    updated_at = Moment(required=True)


class ExportedPlanChange(Schema):
    """A change of the plan, by an `operator` or a `code`."""

    plan = fields.String(required=True)
    source = fields.String(required=True)
    changed_at = Moment(required=True)


class ExportedSignIn(Schema):
    """A sign-in on one device, and how it ended."""

    id = fields.UUID(required=True)
    started_at = Moment(required=True)
    last_used_at = Moment(required=True)
    expires_at = Moment(required=True)
    ended_at = Moment(required=True, allow_none=True)
    ended_by = fields.String(required=True, allow_none=True)


class ExportedCode(Schema):
    """A code that was redeemed; the code itself is not kept."""

    redeemed_at = Moment(required=True)


class ExportedReset(Schema):
    """A password reset link that was offered and not used."""

    created_at = Moment(required=True)
    expires_at = Moment(required=True)


class ExportOut(Schema):
    """Everything accounts has about a person."""

    exported_at = Moment(required=True)
    account = fields.Nested(ExportedAccount, required=True)
    players = fields.List(fields.Nested(ExportedPlayer), required=True)
    plan_changes = fields.List(fields.Nested(ExportedPlanChange), required=True)
    sign_ins = fields.List(fields.Nested(ExportedSignIn), required=True)
    redeemed_codes = fields.List(fields.Nested(ExportedCode), required=True)
    password_resets = fields.List(fields.Nested(ExportedReset), required=True)
