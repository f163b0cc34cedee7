"""Statistics over finished games: an account's own, and for operators those of all accounts."""

from typing import Any

from flask import Response

from services.sessions.application.statistics import Statistics
from services.sessions.domain.roles import Right
from services.sessions.entrypoints.asking import access, for_operators, may
from services.sessions.entrypoints.stats_schemas import OpsStatsQuery, StatsOut, StatsQuery, question
from shared.web.blueprint import Blueprint


def blueprint(statistics: Statistics) -> Blueprint:
    """The routes on this use case."""
    blp = Blueprint("stats", __name__, url_prefix="/v1", description="Finished games as figures")

    @blp.route("/stats", methods=["GET"])
    @may(Right.OWN)
    @blp.arguments(StatsQuery, location="query")
    @blp.response(200, StatsOut)
    def read_stats(query: dict[str, Any]) -> Response:
        """Read statistics over one's finished games, grouped by whatever is named in `by`.

        With `by=player` a game counts once for each saved player at its table.
        """
        return _json(statistics.of_account(access().owner_id, question(query)))

    @blp.route("/ops/stats", methods=["GET"])
    @may(Right.OWN)
    @for_operators
    @blp.arguments(OpsStatsQuery, location="query")
    @blp.response(200, StatsOut)
    @blp.alt_response(403, description="operator_required")
    def read_ops_stats(query: dict[str, Any]) -> Response:
        """Read statistics over the finished games of all accounts, each once; for the role operator."""
        return _json(statistics.of_all(question(query)))

    return blp


def _json(encoded: bytes) -> Response:
    return Response(encoded, content_type="application/json")
