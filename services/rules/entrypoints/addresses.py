"""What a path below `/v1/rulesets` names."""

from typing import Any

from services.rules.rulesets import RULESETS, Ruleset
from shared.web.problems import Problem

PREFIX = "/v1/rulesets"


def ruleset_parameter() -> dict[str, Any]:
    """The path's `ruleset`, as OpenAPI shows it."""
    return {"in": "path", "name": "ruleset", "required": True, "schema": _one_of(RULESETS)}


def figure_parameter() -> dict[str, Any]:
    """The path's `figure`, as OpenAPI shows it."""
    names = sorted({name for ruleset in RULESETS.values() for name in ruleset.figures()})
    return {"in": "path", "name": "figure", "required": True, "schema": _one_of(names)}


def found(name: str) -> Ruleset:
    """The ruleset called `name`; raises `Problem` not_found."""
    if name not in RULESETS:
        raise Problem("not_found")
    return RULESETS[name]


def _one_of(names: Any) -> dict[str, Any]:
    return {"type": "string", "enum": list(names)}
