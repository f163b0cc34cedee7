"""The questions and answers of statistics: checked on the way in, documented on the way out.

Figures have the names that the public contract gives them; nothing is decided by them here.
"""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate, validates_schema
from webargs.fields import DelimitedList

from services.sessions.domain.cells import OPTIONS
from services.sessions.domain.questions import GROUPINGS, PLAYER, Question
from services.sessions.domain.statistics import NUMBERS, QUANTILES
from services.sessions.entrypoints.schemas import MAX_PLACES, CanonicalUUID, printable

OF_PLAYERS = "Figures over all accounts are not grouped by player: whose players those are is told to nobody."


def different(values: list[str]) -> None:
    """Refuse a list that has something twice."""
    if len(set(values)) < len(values):
        raise ValidationError("Name each grouping once.")


def over_all(values: list[str]) -> None:
    """Refuse what only an account may know of its own."""
    if PLAYER in values:
        raise ValidationError(OF_PLAYERS)


def _by(*more: Any) -> fields.Field[Any]:
    """The groupings, separated by commas."""
    return DelimitedList(
        fields.String(validate=validate.OneOf(GROUPINGS)),
        load_default=list,
        validate=[validate.Length(min=1), different, *more],
        metadata={"description": f"groupings, separated by commas: some of {', '.join(GROUPINGS)}"},
    )


class DaysQuery(Schema):
    """Whole UTC days on which a result was confirmed."""

    since = fields.Date(data_key="from", metadata={"description": "first UTC day; left out: no end"})
    until = fields.Date(data_key="to", metadata={"description": "last UTC day, included; left out: no end"})

    @validates_schema(skip_on_field_errors=True)
    def in_order(self, data: dict[str, Any], **_: Any) -> None:
        if "since" in data and "until" in data and data["since"] > data["until"]:
            raise ValidationError("Not before `from`.", "to")


class OpsStatsQuery(DaysQuery):
    """Which games are wanted, and what they are grouped by."""

    by = _by(over_all)
    players = fields.Integer(validate=validate.Range(1, MAX_PLACES))
    difficulty = fields.String(validate=[validate.Length(1, 32), printable])
    reduced_hand = fields.Boolean(truthy={"true", "1"}, falsy={"false", "0"})


class StatsQuery(OpsStatsQuery):
    """Which of one's games are wanted, and what they are grouped by."""

    by = _by()
    player_id = CanonicalUUID(metadata={"description": "games at whose table this saved player sat"})


def question(query: dict[str, Any]) -> Question:
    """The question that a checked query asks."""
    return Question(
        tuple(query["by"]),
        query.get("since"),
        query.get("until"),
        tuple((name, query[name]) for name in OPTIONS if name in query),
        query.get("player_id"),
    )


def _rate(about: str) -> fields.Float:
    return fields.Float(required=True, allow_none=True, metadata={"description": about})


def _interval(about: str) -> fields.List[float]:
    return fields.List(
        fields.Float(),
        required=True,
        allow_none=True,
        validate=validate.Length(equal=2),
        metadata={"description": f"{about}; lower and upper end"},
    )


def _count(about: str) -> fields.Integer:
    return fields.Integer(required=True, metadata={"description": about})


# For each share of the games, the smallest number left that it reaches; null without games.
QuantilesOut = Schema.from_dict(
    {name: fields.Integer(required=True, allow_none=True) for name in QUANTILES}, name="Quantiles"
)


class StatsItemOut(Schema):
    """The figures of a group of games; what they were grouped by comes first, and only that."""

    players = fields.Integer()
    difficulty = fields.String()
    reduced_hand = fields.Boolean()
    month = fields.String(metadata={"description": "UTC month of the confirmation, YYYY-MM"})
    name = fields.String(
        allow_none=True, metadata={"description": "of the saved player; null: at no table any more"}
    )
    player_id = fields.UUID()
    games = _count("finished games, none in the bin")
    wins = _count("games with nothing left")
    win_rate = _rate("wins per game; null without games")
    win_rate_interval = _interval("95 % score interval by Wilson; null without games")
    excellent = _count("games with fewer than 10 left, wins included")
    excellent_rate = _rate("excellent games per game; null without games")
    excellent_rate_interval = _interval("95 % score interval by Wilson; null without games")
    mean_remaining = _rate("cards left per game, exact sum by count; null without games")
    mean_remaining_interval = _interval("normal 95 % interval; null below two games")
    quantiles = fields.Nested(QuantilesOut, required=True)
    histogram = fields.List(
        fields.Integer(),
        required=True,
        validate=validate.Length(equal=NUMBERS),
        metadata={"description": "games by the number left, from 0"},
    )
    mean_turns = _rate("turns per game; null without games")
    back_tens = _rate("steps of ten back per game; null without games")
    mean_duration_s = _rate("seconds per game, pauses of over 30 minutes left out; null without games")


class StatsOut(Schema):
    """An item per group, sorted by what was grouped by; without groupings there is always one."""

    items = fields.List(fields.Nested(StatsItemOut), required=True)
