"""The bodies of the sessions API: checked on the way in, documented on the way out."""

import unicodedata
from typing import Any
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.sessions.domain.place import Place
from services.sessions.domain.roles import INVITED, OWNER
from shared.contracts import actions

COUNT = validate.Range(min=0, max=2**31 - 1)
MAX_PLACES = 20
MAX_ACTIONS = 200


def printable(value: str) -> None:
    """Refuse control characters and surrogates, which neither a database nor a screen can take."""
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in value):
        raise ValidationError("Control characters are not allowed.")


def well_formed(sent: list[Any]) -> None:
    """Refuse actions of the wrong shape, by index and field."""
    found = {n: faults for n, one in enumerate(sent) if (faults := actions.faults(one))}
    if found:
        raise ValidationError(found, "actions")


class CanonicalUUID(fields.UUID):
    """A UUID in its canonical form of 36 characters, nothing else."""

    def _validated(self, value: Any) -> UUID:
        if isinstance(value, UUID):
            return value
        if not actions.is_uuid(value):
            raise self.make_error("invalid_uuid")
        return UUID(value)


class Cursor(fields.String):
    """The place that a cursor stands for."""

    default_error_messages = {"invalid": "Not a cursor of this list."}  # noqa: RUF012

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        try:
            return Place.of(super()._deserialize(value, attr, data, **kwargs))
        except ValueError as error:
            raise self.make_error("invalid") from error


class PlaceIn(Schema):
    """A seat: a saved player or a free name."""

    player_id = CanonicalUUID()
    name = fields.String(validate=[validate.Length(1, 60), printable])

    @validates_schema
    def one_of_both(self, data: dict[str, Any], **_: Any) -> None:
        if ("player_id" in data) == ("name" in data):
            raise ValidationError("Give either player_id or name.")
        if "name" in data and not data["name"].strip():
            raise ValidationError("A name has letters.", "name")


class GameIn(Schema):
    """A new game. What options there are, the ruleset says."""

    id = CanonicalUUID(metadata={"description": "made by the client; makes the request repeatable"})
    ruleset = fields.String(required=True, validate=validate.Length(1, 64))
    options = fields.Dict(
        keys=fields.String(),
        load_default=dict,
        metadata={"description": "as the ruleset lists them; left out means its default"},
    )
    players = fields.List(fields.Nested(PlaceIn), required=True, validate=validate.Length(1, MAX_PLACES))


class ActionsIn(Schema):
    """A batch of actions, applied in order up to the first refused one."""

    actions = fields.List(
        fields.Raw(metadata=actions.SCHEMA), required=True, validate=validate.Length(1, MAX_ACTIONS)
    )
    expected_version = fields.Integer(strict=True, validate=COUNT)

    @validates_schema(skip_on_field_errors=True)
    def actions_are_well_formed(self, data: dict[str, Any], **_: Any) -> None:
        well_formed(data["actions"])


class ListQuery(Schema):
    """Which games to list, newest first."""

    status = fields.String(validate=[validate.Length(1, 32), printable])
    player_id = CanonicalUUID()
    updated_after = fields.AwareDateTime(format="iso")
    bin = fields.Boolean(load_default=False, truthy={"true", "1"}, falsy={"false", "0"})
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))
    cursor = Cursor(metadata={"description": "next_cursor of the page before"})


class GameQuery(Schema):
    """At which version the table is wanted."""

    at = fields.Integer(validate=COUNT)


class LogQuery(Schema):
    """Which entries are wanted: those with a seq above `after`, or above `cursor` if that is given."""

    after = fields.Integer(load_default=0, validate=COUNT)
    limit = fields.Integer(load_default=100, validate=validate.Range(1, 200))
    tables = fields.Boolean(
        load_default=False,
        truthy={"true", "1"},
        falsy={"false", "0"},
        metadata={"description": "whether each entry comes with the table and the result after it"},
    )
    cursor = fields.Integer(validate=COUNT, metadata={"description": "next_cursor of the page before"})


class PlaceOut(Schema):
    """A seat with its count of cards in hand; which cards, nobody here knows."""

    seat = fields.Integer(required=True)
    player_id = fields.UUID()
    name = fields.String(required=True)
    hand = fields.Integer(required=True)


class TargetOut(Schema):
    """The action that undo or redo would take, by id and type."""

    target = fields.UUID(required=True)
    type = fields.String(required=True)


class ResultOut(Schema):
    """The confirmed result of the group."""

    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True)
    rating = fields.String(required=True, validate=validate.OneOf(["perfect", "excellent", "counted"]))
    confirmed_at = fields.DateTime(required=True)


class GameOut(Schema):
    """A game; `table` is as its ruleset describes it."""

    id = fields.UUID(required=True)
    ruleset = fields.String(required=True)
    rules_version = fields.String(required=True)
    options = fields.Dict(required=True)
    players = fields.List(fields.Nested(PlaceOut), required=True)
    version = fields.Integer(required=True)
    table = fields.Dict(required=True)
    result = fields.Nested(ResultOut, required=True, allow_none=True)
    undo = fields.Nested(TargetOut, required=True, allow_none=True)
    redo = fields.Nested(TargetOut, required=True, allow_none=True)
    created_at = fields.DateTime(required=True)
    updated_at = fields.DateTime(required=True)
    binned_at = fields.DateTime()


class RoleOut(Schema):
    """What one may do with a game of a list; `GET /v1/games/{id}/access` tells it of a single one."""

    role = fields.String(required=True, validate=validate.OneOf([OWNER, *INVITED]))


class ListedGameOut(GameOut):
    """A game with what one may do with it."""

    access = fields.Nested(RoleOut, required=True)


class GamesOut(Schema):
    """A page of games."""

    items = fields.List(fields.Nested(ListedGameOut), required=True)
    next_cursor = fields.String(required=True, allow_none=True)


class ByOut(Schema):
    """Who sent an action: an account, or a guest of the game."""

    account_id = fields.UUID(required=True, allow_none=True, metadata={"description": "null for a guest"})
    guest_id = fields.UUID()
    device = fields.String()


class InstructionOut(Schema):
    """A physical act that an accepted action implies."""

    kind = fields.String(required=True)
    seat = fields.Integer()
    count = fields.Integer()
    pile = fields.String()
    card = fields.Integer()


class EntryOut(Schema):
    """An entry of the log; `effective` says whether it counts now."""

    seq = fields.Integer(required=True)
    action = fields.Dict(required=True)
    by = fields.Nested(ByOut, required=True)
    at = fields.DateTime(required=True, allow_none=True)
    recorded_at = fields.DateTime(required=True)
    rules_version = fields.String(required=True)
    instructions = fields.List(fields.Nested(InstructionOut), required=True)
    effective = fields.Boolean(required=True)
    table = fields.Dict(metadata={"description": "after the entry, if tables were asked for"})
    result = fields.Nested(
        ResultOut, allow_none=True, metadata={"description": "after the entry, if tables were asked for"}
    )


class LogOut(Schema):
    """A page of the log."""

    items = fields.List(fields.Nested(EntryOut), required=True)
    next_cursor = fields.String(required=True, allow_none=True)


class OutcomeOut(Schema):
    """What became of one action."""

    action_id = fields.UUID(required=True)
    verdict = fields.String(required=True, validate=validate.OneOf(["accepted", "duplicate", "rejected"]))
    code = fields.String()
    errors = fields.Raw(metadata={"description": "what is wrong, for refusals that say more"})
    seq = fields.Integer()
    instructions = fields.List(fields.Nested(InstructionOut), required=True)
    warnings = fields.List(fields.String(), required=True)


class ActionsOut(Schema):
    """The game after a batch, with an outcome per action."""

    version = fields.Integer(required=True)
    outcomes = fields.List(fields.Nested(OutcomeOut), required=True)
    game = fields.Nested(GameOut, required=True)


class QuestionOut(Schema):
    """What the table is asked: a fact, what each side says, and the question in the reader's language."""

    id = fields.String(required=True)
    fact = fields.String(required=True, validate=validate.OneOf(["top", "deck", "hands"]))
    pile = fields.String()
    cloud = fields.Raw(required=True, allow_none=True)
    device = fields.Raw(required=True, allow_none=True)
    text = fields.String(required=True, allow_none=True)
