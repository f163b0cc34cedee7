"""Owns the shapes of what events carry."""

from marshmallow import INCLUDE, Schema, fields, validate


class Data(Schema):
    """What an event carries. Readers pass over what they do not know, for shapes may only grow."""

    class Meta:
        unknown = INCLUDE


class Game(Data):
    game_id = fields.UUID(required=True)


class GameAtVersion(Game):
    version = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(min=0),
        metadata={"description": "the seq of the entry that led there, the last one of those told together"},
    )


class Table(Data):
    """The public table as the ruleset answers it; there is no hand in it, only counts."""

    status = fields.String(required=True)


class Result(Data):
    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True, strict=True, validate=validate.Range(min=0))
    rating = fields.String(required=True)
    confirmed_at = fields.AwareDateTime()


class Action(Data):
    id = fields.UUID(required=True)
    type = fields.String(required=True)


class By(Data):
    account_id = fields.UUID(required=True, allow_none=True, metadata={"description": "null for a guest"})
    guest_id = fields.UUID(metadata={"description": "who came by an invitation"})
    device = fields.String()


class Instruction(Data):
    kind = fields.String(required=True)


class Entry(Data):
    """An entry of the log as the API gives it."""

    seq = fields.Integer(required=True, strict=True, validate=validate.Range(min=1))
    action = fields.Nested(Action, required=True)
    by = fields.Nested(By, required=True)
    at = fields.AwareDateTime(required=True, allow_none=True, metadata={"description": "the client's clock"})
    recorded_at = fields.AwareDateTime(required=True)
    rules_version = fields.String(required=True)
    instructions = fields.List(fields.Nested(Instruction), required=True)
    effective = fields.Boolean(required=True, metadata={"description": "when it was written"})


class GameCreated(Game):
    account_id = fields.UUID(required=True, metadata={"description": "whose game it is"})
    table = fields.Nested(Table, required=True)


class Seen(Data):
    table = fields.Nested(Table, required=True)
    result = fields.Nested(Result, required=True, allow_none=True)


class GameAdvanced(GameAtVersion):
    entries = fields.List(fields.Nested(Entry), required=True, validate=validate.Length(min=1))
    table = fields.Nested(Table, required=True, metadata={"description": "after the last of the entries"})
    result = fields.Nested(Result, required=True, allow_none=True)
    after = fields.List(
        fields.Nested(Seen),
        metadata={
            "description": "what there is to see after each of the entries; absent for one, and for many"
        },
    )


class Conflict(Game):
    conflict_id = fields.UUID(required=True, metadata={"description": "read it to learn more"})


class Account(Data):
    account_id = fields.UUID(required=True)


class TokensRevoked(Account):
    before = fields.AwareDateTime(
        required=True, metadata={"description": "tokens issued before this moment are denied"}
    )


class SignInEnded(Account):
    family = fields.UUID(required=True, metadata={"description": "the claim `family` of the tokens denied"})


class PlanChanged(Account):
    plan = fields.String(required=True)
    changed_at = fields.AwareDateTime(
        required=True, metadata={"description": "the newest wins, also over what an older token says"}
    )


class PlayerChanged(Account):
    player_id = fields.UUID(
        required=True, metadata={"description": "whom to ask accounts about; no event carries a name"}
    )


class AccessEnded(Data):
    kind = fields.String(
        required=True,
        validate=validate.OneOf(["account", "sign_in", "tokens", "invitation", "share"]),
        metadata={
            "description": "what `id` is; `tokens` are those of the account `id` from before `before`; of a"
            " `share` it is the account that `game_id` was shared with before `before`"
        },
    )
    id = fields.UUID(required=True)
    game_id = fields.UUID()
    before = fields.AwareDateTime()
