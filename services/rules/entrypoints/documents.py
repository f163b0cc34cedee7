"""The documents that the rules API answers, as OpenAPI shows them; the rules themselves make them."""

from marshmallow import Schema, fields, validate

from services.rules.the_game.cards import COUNT
from services.rules.the_game.options import MINIMA
from services.rules.the_game.piles import NAMES
from services.rules.the_game.refusals import REFUSALS, WARNINGS
from services.rules.the_game.simulation.strategies import STRATEGIES
from services.rules.the_game.state import STATUSES
from shared.contracts.problems import LANGUAGES

DIRECTION = validate.OneOf(["up", "down"])


class RulesetOut(Schema):
    """What a client needs to offer a game."""

    name = fields.String(required=True)
    version = fields.String(required=True)
    not_covered = fields.List(fields.String(), required=True)
    options = fields.Dict(required=True, metadata={"description": "by name: `values` and `default`"})
    cards = fields.Dict(fields.String(), fields.Integer(), required=True)
    step_back = fields.Integer(required=True)
    piles = fields.List(fields.Dict(), required=True)
    hand_sizes = fields.Dict(required=True, metadata={"description": "`normal` and `reduced`, by players"})
    minimum = fields.Dict(fields.String(), fields.Integer(), required=True)
    actions = fields.Dict(required=True, metadata={"description": "by type: its fields"})
    refusals = fields.List(fields.String(), required=True)
    warnings = fields.List(fields.String(), required=True)


class GuideSectionOut(Schema):
    """A section of the guide."""

    id = fields.String(required=True, metadata={"description": "the same in every language"})
    title = fields.String(required=True)
    markdown = fields.String(
        required=True,
        metadata={
            "description": "paragraphs of one line each, lists of `- `, `**bold**`, and images that stand "
            "alone with what they show as their text; no other Markdown, no HTML"
        },
    )


class GuideOut(Schema):
    """The rules as text, in reading order."""

    language = fields.String(required=True, validate=validate.OneOf(LANGUAGES))
    sections = fields.List(fields.Nested(GuideSectionOut), required=True)


class RulesetsOut(Schema):
    """A page of rulesets."""

    items = fields.List(fields.Nested(RulesetOut), required=True)
    next_cursor = fields.String(required=True, allow_none=True)


class PileOut(Schema):
    """A pile: `top` is null when unknown; the cards are those `play` would take now."""

    direction = fields.String(required=True, validate=DIRECTION)
    top = fields.Integer(required=True, allow_none=True)
    playable = fields.List(fields.Integer(), required=True)
    uncertain = fields.List(fields.Integer(), required=True)


PilesOut = Schema.from_dict({name: fields.Nested(PileOut, required=True) for name in NAMES}, name="PilesOut")


class TableOut(Schema):
    """The public table; hands are counts by seat."""

    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    phase = fields.String(required=True, validate=validate.OneOf(["play", "drawn"]))
    turn = fields.Integer(required=True)
    active_seat = fields.Integer(required=True)
    hands = fields.List(fields.Integer(), required=True)
    deck = fields.Integer(required=True)
    minimum = fields.Integer(required=True)
    played_this_turn = fields.Integer(required=True)
    to_draw = fields.Integer(required=True)
    remaining = fields.Integer(required=True)
    control = fields.String(required=True, validate=validate.OneOf(["full", "partial"]))
    piles = fields.Nested(PilesOut, required=True)
    played = fields.List(fields.Integer(), required=True)


class InstructionOut(Schema):
    """A physical act that an accepted action asks for."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(["draw", "return_cards", "take_back", "next_player", "result"]),
    )
    seat = fields.Integer()
    count = fields.Integer()
    pile = fields.String(validate=validate.OneOf(NAMES))
    card = fields.Integer()


class OutcomeOut(Schema):
    """What became of one action; `table` when the query asks for tables."""

    action_id = fields.String(required=True, allow_none=True)
    verdict = fields.String(required=True, validate=validate.OneOf(["accepted", "rejected"]))
    code = fields.String(validate=validate.OneOf(REFUSALS))
    errors = fields.Raw(metadata={"description": "identify: the ids of the entries that would not fit"})
    instructions = fields.List(fields.Nested(InstructionOut), required=True)
    warnings = fields.List(fields.String(validate=validate.OneOf(WARNINGS)), required=True)
    table = fields.Nested(TableOut)


class ResultOut(Schema):
    """The result of the group, once confirmed."""

    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True)
    rating = fields.String(required=True, validate=validate.OneOf(["perfect", "excellent", "counted"]))


BackTensOut = Schema.from_dict({name: fields.Integer(required=True) for name in NAMES}, name="BackTensOut")


class SummaryOut(Schema):
    """How a finished game went; what was undone is not in it."""

    players = fields.Integer(required=True)
    difficulty = fields.String(required=True, validate=validate.OneOf(list(MINIMA)))
    reduced_hand = fields.Boolean(required=True)
    first_seat = fields.Integer(required=True)
    outcome = fields.String(required=True, validate=validate.OneOf(["win", "loss"]))
    remaining = fields.Integer(required=True)
    rating = fields.String(required=True, validate=validate.OneOf(["perfect", "excellent", "counted"]))
    turns = fields.Integer(required=True, metadata={"description": "with a card laid, or ended by the block"})
    plays_per_turn = fields.List(fields.Integer(), required=True)
    back_tens = fields.Nested(
        BackTensOut, required=True, metadata={"description": "steps of ten back between known cards, by pile"}
    )
    largest_jump = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "the largest distance between a known card and the known one below it that was no "
            "step of ten back; null: there was none"
        },
    )
    control = fields.String(required=True, validate=validate.OneOf(["full", "partial"]))
    deck = fields.Integer(required=True)
    hands = fields.List(fields.Integer(), required=True, metadata={"description": "cards left by seat"})
    blocked_by = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "the seat that declared the block; null: all cards were out"},
    )
    rules_version = fields.String(required=True)


class EvaluationOut(Schema):
    """A whole log, judged: exactly one outcome per action."""

    rules_version = fields.String(required=True)
    start = fields.Nested(TableOut, required=True)
    outcomes = fields.List(fields.Nested(OutcomeOut), required=True)
    table = fields.Nested(TableOut, required=True)
    result = fields.Nested(ResultOut, required=True, allow_none=True)
    summary = fields.Nested(
        SummaryOut, required=True, allow_none=True, metadata={"description": "there with the result"}
    )


class StrategyOut(Schema):
    """A way to play that was simulated."""

    id = fields.String(required=True, validate=validate.OneOf(list(STRATEGIES)))
    about = fields.String(required=True, metadata={"description": "what it does, in English"})


def _share(of: str) -> fields.Float:
    return fields.Float(required=True, validate=validate.Range(0, 1), metadata={"description": of})


def _error() -> fields.Float:
    return fields.Float(
        required=True, validate=validate.Range(0), metadata={"description": "its standard error"}
    )


class YardstickRowOut(Schema):
    """One strategy at one kind of table."""

    strategy = fields.String(required=True, validate=validate.OneOf(list(STRATEGIES)))
    players = fields.Integer(required=True)
    difficulty = fields.String(required=True, validate=validate.OneOf(list(MINIMA)))
    reduced_hand = fields.Boolean(required=True)
    games = fields.Integer(required=True)
    win_rate = _share("of games won")
    win_rate_se = _error()
    excellent_rate = _share("of games with fewer than 10 cards left, wins included")
    excellent_rate_se = _error()
    mean_remaining = fields.Float(required=True, metadata={"description": "cards left"})
    mean_remaining_se = _error()
    histogram = fields.List(
        fields.Integer(),
        required=True,
        validate=validate.Length(equal=COUNT + 1),
        metadata={"description": "games by cards left, from 0 to 98"},
    )


class YardstickOut(Schema):
    """What simulated strategies come to; `command` computes it anew, the same from the same seed."""

    ruleset = fields.String(required=True)
    rules_version = fields.String(required=True)
    command = fields.String(required=True)
    seed = fields.Integer(required=True)
    games = fields.Integer(required=True, metadata={"description": "in each row"})
    strategies = fields.List(fields.Nested(StrategyOut), required=True)
    items = fields.List(fields.Nested(YardstickRowOut), required=True)
