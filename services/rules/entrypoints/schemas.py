"""What comes into the rules API: queries and bodies. What an option may be, each ruleset says and checks."""

from typing import Any

from marshmallow import Schema, fields, validate

from services.rules.rulesets import RULESETS
from services.rules.the_game.options import CHOICES
from services.rules.the_game.simulation.strategies import STRATEGIES
from shared.contracts import actions
from shared.contracts.problems import LANGUAGES

MAX_ACTIONS = 1_000
MAX_PAGE = 200
_TRUE, _FALSE = {"true", "1"}, {"false", "0"}
_LABEL = {"type": "string", "minLength": 1, "maxLength": 64}
_JSON_TYPES = {int: "integer", bool: "boolean", str: "string"}

ACTION: dict[str, Any] = actions.SCHEMA | {
    "required": ["type"],
    "properties": actions.SCHEMA["properties"]
    | {
        "id": _LABEL | {"description": "a label of the client's"},
        "target": _LABEL
        | {"description": "undo, redo: the label of the action at hand; identify: of the play"},
    },
}


def options_schema(choices: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """JSON Schema of a ruleset's options, from its description."""
    return {
        "type": "object",
        "required": [name for name, choice in choices.items() if "default" not in choice],
        "properties": {
            name: {"type": _JSON_TYPES[type(choice["values"][0])], "enum": choice["values"]}
            | ({"default": choice["default"]} if "default" in choice else {})
            for name, choice in choices.items()
        },
        "additionalProperties": False,
    }


class PageQuery(Schema):
    """Which part of a list."""

    limit = fields.Integer(load_default=50, validate=validate.Range(1, MAX_PAGE))
    cursor = fields.String(
        validate=validate.Length(1, 64), metadata={"description": "next_cursor of the page before"}
    )


class GuideQuery(Schema):
    """In which language."""

    lang = fields.String(
        load_default="",
        metadata={
            "description": f"one of {', '.join(LANGUAGES)}; of `pt-BR` the first part counts",
            "example": "es",
        },
    )


class EvaluateQuery(Schema):
    """Whether each outcome carries the table after it."""

    tables = fields.Boolean(load_default=False, truthy=_TRUE, falsy=_FALSE)


class YardstickQuery(Schema):
    """Which rows; left out: all of them."""

    strategy = fields.String(validate=validate.OneOf(list(STRATEGIES)))
    players = fields.Integer(validate=validate.OneOf(CHOICES["players"]))
    difficulty = fields.String(validate=validate.OneOf(CHOICES["difficulty"]))
    reduced_hand = fields.Boolean(truthy=_TRUE, falsy=_FALSE)


class EvaluateIn(Schema):
    """A whole log to check, from the first card on."""

    options = fields.Raw(
        required=True,
        metadata={"anyOf": [options_schema(ruleset.describe()["options"]) for ruleset in RULESETS.values()]},
    )
    actions = fields.List(
        fields.Raw(metadata=ACTION), required=True, validate=validate.Length(max=MAX_ACTIONS)
    )
