"""The bodies around conflicts: checked on the way in, documented on the way out."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.sessions.application.reopening import SIDES
from services.sessions.domain.branch import STATUSES
from services.sessions.domain.resolutions import AT_TABLE, CHOICES
from services.sessions.entrypoints.schemas import (
    COUNT,
    ByOut,
    CanonicalUUID,
    Cursor,
    EntryOut,
    OutcomeOut,
    QuestionOut,
)


class ConflictsQuery(Schema):
    """Which conflicts to list, newest first."""

    status = fields.String(validate=validate.OneOf(STATUSES))
    game_id = CanonicalUUID()
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))
    cursor = Cursor(metadata={"description": "next_cursor of the page before"})


class DecisionIn(Schema):
    """What people chose; with `table`, what they see there, as `adopt` takes it."""

    choice = fields.String(required=True, validate=validate.OneOf(CHOICES))
    expected_version = fields.Integer(
        strict=True,
        validate=COUNT,
        metadata={"description": "of the log that was looked at; the conflict's cloud_version unless given"},
    )
    table = fields.Dict(
        keys=fields.String(), metadata={"description": "with the choice `table`, and only with that"}
    )

    @validates_schema(skip_on_field_errors=True)
    def table_as_chosen(self, data: dict[str, Any], **_: Any) -> None:
        if ("table" in data) != (data["choice"] == AT_TABLE):
            raise ValidationError("Give it with the choice `table`, and only with that.", "table")


class ReopenIn(Schema):
    """Which side is to be a game of its own."""

    id = CanonicalUUID(metadata={"description": "made by the client; makes the request repeatable"})
    side = fields.String(required=True, validate=validate.OneOf(SIDES))


class SideOut(Schema):
    """What one side has: who entered the last of it, when, on which device; `table` is what it leads to."""

    device = fields.String(required=True, allow_none=True)
    by = fields.Nested(ByOut, required=True, allow_none=True)
    at = fields.DateTime(required=True, allow_none=True)
    table = fields.Dict(
        required=True, allow_none=True, metadata={"description": "null until it is looked at"}
    )


class CloudOut(SideOut):
    """The log after the base, up to `cloud_version`."""

    entries = fields.List(fields.Nested(EntryOut), metadata={"description": "not in lists"})


class SentOut(Schema):
    """One action of a branch, as it was sent and answered."""

    action = fields.Dict(required=True)
    at = fields.DateTime(required=True, allow_none=True)
    outcome = fields.Nested(OutcomeOut, required=True)


class DeviceOut(SideOut):
    """The branch, for ever."""

    entries = fields.List(fields.Nested(SentOut), metadata={"description": "not in lists"})


class StoryOut(Schema):
    """A story that both sides fit into: what would be told after `base_version`, and what it leads to."""

    base_version = fields.Integer(required=True)
    actions = fields.List(fields.Dict(), metadata={"description": "not in lists"})
    table = fields.Dict(required=True)
    result = fields.Dict(required=True, allow_none=True)


class TextOut(Schema):
    """The conflict in the reader's language; null until it is looked at."""

    summary = fields.String(required=True, allow_none=True)
    keep_cloud = fields.String(required=True, allow_none=True)
    keep_device = fields.String(required=True, allow_none=True)


class ConflictOut(Schema):
    """A conflict; what its ruleset says of it is as the ruleset describes it."""

    id = fields.UUID(required=True)
    game_id = fields.UUID(required=True)
    status = fields.String(
        required=True,
        validate=validate.OneOf(STATUSES),
        metadata={"description": "merged: settled by proof; settled: decided by people"},
    )
    base_version = fields.Integer(required=True)
    cloud_version = fields.Integer(
        required=True, metadata={"description": "of the log when it was looked at"}
    )
    cloud = fields.Nested(CloudOut, required=True)
    device = fields.Nested(DeviceOut, required=True)
    newer = fields.String(required=True, validate=validate.OneOf(SIDES))
    first_difference = fields.Dict(required=True, allow_none=True)
    proposal = fields.Nested(StoryOut, required=True, allow_none=True)
    questions = fields.List(fields.Nested(QuestionOut), required=True)
    proof = fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "what was proved, while it is merged; counts"},
    )
    text = fields.Nested(TextOut, required=True)
    created_at = fields.DateTime(required=True)
    updated_at = fields.DateTime(required=True)


class ConflictsOut(Schema):
    """A page of conflicts."""

    items = fields.List(fields.Nested(ConflictOut), required=True)
    next_cursor = fields.String(required=True, allow_none=True)
