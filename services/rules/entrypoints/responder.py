"""Owns the door over the stream: one request of another service in, one answer or error code out."""

from typing import Any

from services.rules.malformed import Malformed
from services.rules.rulesets import RULESETS, unknown


def handle(body: object) -> dict[str, Any]:
    """Answer `{ruleset, rules_version, options, state, log, actions, tables?, go_on?}` as its door does.

    With `since` beside the log, tell what there was to see after its actions instead; with `branch` and
    `base_version`, reconcile a branch with it.
    Or `{"error": {"code", "errors"?}}`: a body of the wrong shape is an answer too, never an exception.
    """
    if not isinstance(body, dict):
        return _error("validation_failed", {"_schema": ["Not an object."]})
    name = body.get("ruleset")
    ruleset = RULESETS.get(name) if isinstance(name, str) else None
    if ruleset is None:
        return _error(unknown(name))
    if body.get("rules_version") not in (None, ruleset.VERSION):
        return _error("rules_version_unknown")
    try:
        if "since" in body:
            return ruleset.recall(body.get("options"), body.get("log"), body["since"])
        if "branch" in body:
            return ruleset.reconcile(
                body.get("options"),
                body.get("log"),
                body.get("base_version"),
                body["branch"],
                body.get("newer"),
            )
        return ruleset.answer(
            body.get("options"),
            body.get("state"),
            body.get("log"),
            body.get("actions"),
            body.get("tables") is True,
            body.get("go_on") is True,
        )
    except Malformed as malformed:
        return _error("validation_failed", malformed.errors)


def _error(code: str, errors: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"error": {"code": code, **({"errors": errors} if errors else {})}}
