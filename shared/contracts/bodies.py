"""Owns the shapes of what is asked and answered over the bus."""

from marshmallow import INCLUDE, Schema, fields, validate


class Body(Schema):
    """The body of a request or a reply. Readers pass over what they do not know, for shapes may only grow."""

    class Meta:
        unknown = INCLUDE


class _Error(Body):
    code = fields.String(required=True, metadata={"description": "one of the problem codes"})
    errors = fields.Dict(metadata={"description": "what is wrong, by field"})


class Refused(Body):
    """The answer to a request that cannot be answered otherwise."""

    error = fields.Nested(_Error, required=True)


class _Action(Body):
    id = fields.String(required=True)
    type = fields.String(required=True)


class _Options(Body):
    players = fields.Integer(required=True, strict=True, validate=validate.Range(min=1, max=5))


class AskRules(Body):
    """What do these actions lead to? Undo and redo need the whole log; other batches go on from a state."""

    ruleset = fields.String(required=True)
    rules_version = fields.String(
        required=True, allow_none=True, metadata={"description": "the game's; null: the newest"}
    )
    options = fields.Nested(_Options, required=True)
    state = fields.Raw(
        required=True,
        allow_none=True,
        metadata={"description": "as rules answered it last; opaque; null: see log"},
    )
    log = fields.List(
        fields.Nested(_Action),
        required=True,
        allow_none=True,
        metadata={"description": "all actions of the game so far; null with a state, or from the start"},
    )
    actions = fields.List(
        fields.Nested(_Action), required=True, metadata={"description": "judged up to the first refused one"}
    )
    tables = fields.Boolean(metadata={"description": "whether each outcome carries the table after it"})
    go_on = fields.Boolean(
        metadata={"description": "whether to judge all of them: a refused one changes nothing"}
    )
    since = fields.Integer(
        strict=True,
        validate=validate.Range(min=0),
        metadata={
            "description": "recall: what was to be seen after each action of the log but the first so many"
        },
    )

    base_version = fields.Integer(
        strict=True,
        validate=validate.Range(min=0),
        metadata={"description": "reconcile: how many entries of the log come before the branch"},
    )
    branch = fields.List(
        fields.Nested(_Action),
        metadata={"description": "reconcile: what a device recorded since; judged to its end"},
    )
    newer = fields.String(
        validate=validate.OneOf(["cloud", "device"]),
        metadata={"description": "reconcile: the side that was entered last, for the texts"},
    )


class _Instruction(Body):
    kind = fields.String(required=True)


class _Result(Body):
    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True, strict=True, validate=validate.Range(min=0))
    rating = fields.String(required=True)


class _Summary(Body):
    players = fields.Integer(required=True, strict=True, validate=validate.Range(min=1, max=5))
    difficulty = fields.String(required=True)
    reduced_hand = fields.Boolean(required=True)
    first_seat = fields.Integer(required=True, strict=True, validate=validate.Range(min=0))
    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True, strict=True, validate=validate.Range(min=0, max=98))
    rating = fields.String(required=True)
    turns = fields.Integer(required=True, strict=True, validate=validate.Range(min=0))
    plays_per_turn = fields.List(
        fields.Integer(strict=True, validate=validate.Range(min=0)),
        required=True,
        metadata={"description": "cards laid in each turn that counts, in order"},
    )
    back_tens = fields.Dict(
        keys=fields.String(),
        values=fields.Integer(strict=True, validate=validate.Range(min=0)),
        required=True,
        metadata={"description": "steps of ten back, by pile"},
    )
    largest_jump = fields.Integer(
        required=True,
        allow_none=True,
        strict=True,
        validate=validate.Range(min=0),
        metadata={"description": "largest distance between two known cards that was no step of ten back"},
    )
    control = fields.String(required=True, validate=validate.OneOf(["full", "partial"]))
    deck = fields.Integer(required=True, strict=True, validate=validate.Range(min=0))
    hands = fields.List(
        fields.Integer(strict=True, validate=validate.Range(min=0)),
        required=True,
        metadata={"description": "cards left, by seat"},
    )
    blocked_by = fields.Integer(
        required=True,
        allow_none=True,
        strict=True,
        validate=validate.Range(min=0),
        metadata={"description": "the seat that declared the block; null: all cards were out"},
    )
    rules_version = fields.String(required=True)


class _Outcome(Body):
    verdict = fields.String(required=True, validate=validate.OneOf(["accepted", "rejected"]))
    code = fields.String(metadata={"description": "why it was refused: one of the problem codes"})
    instructions = fields.List(fields.Nested(_Instruction), required=True)
    warnings = fields.List(fields.String(), required=True)
    table = fields.Dict()
    result = fields.Nested(
        _Result, metadata={"description": "that there is after the action; absent: there is none"}
    )
    summary = fields.Nested(
        _Summary,
        metadata={"description": "of the game that the action brought to a result, asked with its log"},
    )


class _Target(Body):
    target = fields.String(required=True)
    type = fields.String(required=True)


class RulesSay(Body):
    """One outcome per action up to the first refused one, and where that leaves the game."""

    rules_version = fields.String(required=True)
    outcomes = fields.List(fields.Nested(_Outcome), required=True)
    state = fields.Raw(required=True, metadata={"description": "to go on from; opaque"})
    table = fields.Dict(required=True, metadata={"description": "what everyone may see"})
    result = fields.Nested(_Result, required=True, allow_none=True)
    undo = fields.Nested(
        _Target,
        allow_none=True,
        metadata={"description": "what undo would take back; absent where nothing new is known"},
    )
    redo = fields.Nested(_Target, allow_none=True)
    options = fields.Nested(_Options, metadata={"description": "complete, with those that were left out"})
    summary = fields.Nested(
        _Summary,
        allow_none=True,
        metadata={"description": "of the game when it has a result; absent when it was asked from a state"},
    )


class _Seen(Body):
    table = fields.Dict(required=True)
    result = fields.Nested(_Result, required=True, allow_none=True)


class RulesRecall(Body):
    """What there was to see after actions of the log, which are not judged again."""

    rules_version = fields.String(required=True)
    after = fields.List(
        fields.Nested(_Seen),
        required=True,
        metadata={"description": "in order, from the action after `since`"},
    )


class _Told(Body):
    base_version = fields.Integer(
        required=True, metadata={"description": "entries of the log it goes back to"}
    )
    actions = fields.List(
        fields.Dict(), required=True, metadata={"description": "effective ones, after those"}
    )
    table = fields.Dict(required=True)
    result = fields.Nested(_Result, required=True, allow_none=True)


class _ToldByDevice(_Told):
    outcomes = fields.List(
        fields.Nested(_Outcome), required=True, metadata={"description": "one for each action of the branch"}
    )


class _Proof(Body):
    plays_common = fields.Integer(required=True)
    plays_cloud_only = fields.Integer(required=True)
    plays_device_only = fields.Integer(required=True)
    turns = fields.Integer(required=True)


class _Question(Body):
    id = fields.String(required=True)
    fact = fields.String(required=True, validate=validate.OneOf(["top", "deck", "hands"]))
    pile = fields.String(metadata={"description": "of a top"})
    cloud = fields.Raw(required=True, allow_none=True)
    device = fields.Raw(required=True, allow_none=True)


class _Texts(Body):
    summary = fields.String(required=True)
    keep_cloud = fields.String(required=True)
    keep_device = fields.String(required=True)
    questions = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata={"description": "by their id"}
    )


class _Difference(Body):
    index = fields.Integer(required=True, metadata={"description": "effective actions that both share"})
    turn = fields.Integer(required=True)
    seat = fields.Integer(required=True)
    cloud = fields.Dict(required=True, allow_none=True)
    device = fields.Dict(required=True, allow_none=True)


class RulesReconcile(_Told):
    """One story of a log and a branch, or what the table is asked and as far as both agree."""

    rules_version = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(["contained", "merged", "undecided"]))
    proof = fields.Nested(_Proof, required=True, allow_none=True)
    cloud = fields.Nested(_Told, required=True)
    device = fields.Nested(_ToldByDevice, required=True)
    first_difference = fields.Nested(_Difference, required=True, allow_none=True)
    questions = fields.List(fields.Nested(_Question), required=True, validate=validate.Length(max=6))
    proposal = fields.Nested(_Told, required=True, allow_none=True)
    texts = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(_Texts),
        required=True,
        metadata={"description": "the same in words, by language"},
    )


class AskPlayers(Body):
    """Which of these saved players are the account's, and who are they?"""

    op = fields.String(required=True, validate=validate.Equal("players"))
    account_id = fields.UUID(required=True)
    player_ids = fields.List(fields.UUID(), required=True)


class _Player(Body):
    id = fields.UUID(required=True, metadata={"description": "whom it counts as, after a merge"})
    asked = fields.UUID(metadata={"description": "the id asked for"})
    name = fields.String(required=True)
    colour = fields.String(required=True, allow_none=True)
    archived = fields.Boolean(required=True)


class PlayersAre(Body):
    """Those that are the account's; the others are left out."""

    players = fields.List(fields.Nested(_Player), required=True)
