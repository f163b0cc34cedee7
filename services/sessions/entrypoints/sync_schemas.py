"""The bodies around branches of devices and corrections: checked on the way in, documented on the way out."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.sessions.entrypoints.schemas import (
    COUNT,
    ByOut,
    CanonicalUUID,
    Cursor,
    GameOut,
    OutcomeOut,
    printable,
    well_formed,
)
from shared.contracts import actions
from shared.web.wire import DEVICE_CHARACTERS

MAX_ACTIONS = 1_000


def named(value: str) -> None:
    """Refuse a name of nothing but blanks."""
    if not value.strip():
        raise ValidationError("A name has letters.")


class SyncIn(Schema):
    """What a device recorded on its own after the first `base_version` entries."""

    device = fields.String(required=True, validate=[validate.Length(1, DEVICE_CHARACTERS), printable, named])
    base_version = fields.Integer(required=True, strict=True, validate=COUNT)
    actions = fields.List(
        fields.Raw(metadata=actions.SCHEMA), required=True, validate=validate.Length(0, MAX_ACTIONS)
    )

    @validates_schema(skip_on_field_errors=True)
    def actions_are_well_formed(self, data: dict[str, Any], **_: Any) -> None:
        well_formed(data["actions"])


class SyncedOut(Schema):
    """The game after a branch was taken in, with an outcome per action; refused ones are parked."""

    version = fields.Integer(required=True)
    outcomes = fields.List(fields.Nested(OutcomeOut), required=True)
    parked = fields.Integer(required=True, metadata={"description": "how many of the actions were refused"})
    game = fields.Nested(GameOut, required=True)


class OpenedOut(Schema):
    """Where it says what becomes of a branch."""

    id = fields.UUID(required=True)


class BranchedOut(Schema):
    """A branch that is kept, to be reconciled with the log; `outcomes` are as its device saw them."""

    conflict = fields.Nested(OpenedOut, required=True)
    version = fields.Integer(required=True)
    outcomes = fields.List(fields.Nested(OutcomeOut), required=True)
    parked = fields.Integer(required=True)


class ParkedQuery(Schema):
    """Which parked actions are wanted, newest first."""

    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))
    cursor = Cursor(metadata={"description": "next_cursor of the page before"})


class ParkedOut(Schema):
    """An action of a branch that was refused, kept until somebody has looked at it."""

    action_id = fields.UUID(required=True)
    action = fields.Dict(required=True)
    code = fields.String(required=True)
    by = fields.Nested(ByOut, required=True)
    at = fields.DateTime(required=True, allow_none=True)
    parked_at = fields.DateTime(required=True)


class ParkedPageOut(Schema):
    """A page of parked actions."""

    items = fields.List(fields.Nested(ParkedOut), required=True)
    next_cursor = fields.String(required=True, allow_none=True)


class AdoptIn(Schema):
    """What the table shows, as the ruleset describes it; the entry's `id` makes the request repeatable."""

    id = CanonicalUUID(metadata={"description": "made by the client"})
    table = fields.Dict(keys=fields.String(), required=True)
    expected_version = fields.Integer(required=True, strict=True, validate=COUNT)


class RewindIn(Schema):
    """To which version to go back; the entry's `id` makes the request repeatable."""

    id = CanonicalUUID(metadata={"description": "made by the client"})
    to_version = fields.Integer(required=True, strict=True, validate=COUNT)
    expected_version = fields.Integer(required=True, strict=True, validate=COUNT)
