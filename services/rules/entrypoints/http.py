"""The HTTP API of rules: what can be played, a whole log checked without storing it, and the yardstick."""

from typing import Any

from flask import Flask, Response

from services.rules.entrypoints import documents, schemas
from services.rules.entrypoints.addresses import PREFIX, found, ruleset_parameter
from services.rules.malformed import Malformed
from services.rules.rulesets import RULESETS, Ruleset, unknown
from services.rules.the_game.yardstick import selected
from shared.observability import logging
from shared.web.blueprint import Blueprint
from shared.web.encoding import dumps
from shared.web.problems import Problem


def rulesets() -> Blueprint:
    """The routes below `/v1/rulesets`; they need no sign-in."""
    blp = Blueprint("rulesets", __name__, url_prefix=PREFIX, description="What can be played")
    of_ruleset = ruleset_parameter()

    @blp.route("", methods=["GET"])
    @blp.arguments(schemas.PageQuery, location="query")
    @blp.response(200, documents.RulesetsOut)
    def list_rulesets(query: dict[str, Any]) -> Response:
        """List the rulesets by name."""
        names = sorted(name for name in RULESETS if name > query.get("cursor", ""))
        page = names[: query["limit"]]
        more = len(names) > len(page)
        items = [_document(RULESETS[name]) for name in page]
        return _json({"items": items, "next_cursor": page[-1] if more else None})

    @blp.route("/<string:ruleset>", methods=["GET"], parameters=[of_ruleset])
    @blp.response(200, documents.RulesetOut)
    def read_ruleset(ruleset: str) -> Response:
        """Read a ruleset: options with their values, piles, hands, cards, and what is not covered."""
        return _json(_document(found(ruleset)))

    @blp.route("/<string:ruleset>/evaluate", methods=["POST"], parameters=[of_ruleset])
    @blp.arguments(schemas.EvaluateQuery, location="query")
    @blp.arguments(schemas.EvaluateIn)
    @blp.response(200, documents.EvaluationOut)
    def evaluate(query: dict[str, Any], body: dict[str, Any], ruleset: str) -> Response:
        """Judge a whole log from the first card on; it never stops, and nothing is stored."""
        if unknown(ruleset) == "variant_not_covered":
            raise Problem("variant_not_covered")
        try:
            return _json(found(ruleset).evaluate(body["options"], body["actions"], query["tables"]))
        except Malformed as malformed:
            raise Problem("validation_failed", errors={"json": malformed.errors}) from malformed

    return blp


def stats(yardstick: dict[str, Any]) -> Blueprint:
    """The route `/v1/stats/yardstick` over the data as it was read; it needs no sign-in."""
    blp = Blueprint("stats", __name__, url_prefix="/v1/stats", description="What to compare a group with")

    @blp.route("/yardstick", methods=["GET"])
    @blp.arguments(schemas.YardstickQuery, location="query")
    @blp.response(200, documents.YardstickOut)
    def read_yardstick(query: dict[str, Any]) -> Response:
        """Read what simple strategies come to over many simulated games, with standard errors."""
        return _json(selected(yardstick, query))

    return blp


def _document(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "name": ruleset.NAME,
        "version": ruleset.VERSION,
        "not_covered": list(ruleset.NOT_COVERED),
        **ruleset.describe(),
    }


def _json(document: dict[str, Any]) -> Response:
    return Response(dumps(document), content_type="application/json")


def app_from_environment() -> Flask:
    """The app as the web process serves it."""
    from services.rules.bootstrap import SERVICE, web_app

    logging.configure(SERVICE, "web")
    return web_app()
