"""Conflicts between the log and the branch of a device: reading, deciding, opening a side as its own game."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response

from services.sessions.application.conflicts import Conflicts, WholeReading
from services.sessions.application.decisions import Decision, Decisions
from services.sessions.application.reopening import Reopening
from services.sessions.domain.roles import Right
from services.sessions.entrypoints import conflict_schemas as schemas
from services.sessions.entrypoints.asking import access, device, may, traceparent, with_plus
from services.sessions.entrypoints.schemas import GameOut
from shared.web.blueprint import Blueprint
from shared.web.encoding import dumps
from shared.web.problems import Problem, language


def blueprint(conflicts: Conflicts, decisions: Decisions, reopening: Reopening) -> Blueprint:
    """The routes below `/v1/conflicts` on these use cases."""
    blp = Blueprint(
        "conflicts", __name__, url_prefix="/v1/conflicts", description="Several devices, one game"
    )

    @blp.route("", methods=["GET"])
    @may(Right.OWN)
    @blp.arguments(schemas.ConflictsQuery, location="query")
    @blp.response(200, schemas.ConflictsOut)
    def list_conflicts(query: dict[str, Any]) -> Response:
        """List the conflicts of one's games, newest first, without the entries and actions of any story.

        Where few of many have the `status` asked for, a page may be short of `limit` and not be the last.
        """
        page = conflicts.listed(
            access().owner_id, query.get("status"), query.get("game_id"), query.get("cursor"), query["limit"]
        )
        documents = [reading.document(language()) for reading in page.items]
        return _spoken({"items": documents, "next_cursor": page.after and page.after.cursor()})

    @blp.route("/<uuid:conflict_id>", methods=["GET"])
    @may(Right.READ)
    @blp.response(200, schemas.ConflictOut)
    def read_conflict(conflict_id: UUID) -> Response:
        """Read a conflict: both sides, what is asked of the table, and what each choice would discard."""
        return _spoken(_read(conflict_id).document(language()))

    @blp.route("/<uuid:conflict_id>/decision", methods=["POST"])
    @may(Right.OWN)
    @with_plus
    @blp.arguments(schemas.DecisionIn)
    @blp.response(200, GameOut)
    @blp.alt_response(409, description="conflict_settled, version_conflict, game_in_bin")
    def decide_conflict(body: dict[str, Any], conflict_id: UUID) -> Response:
        """Settle a conflict; needs the plan Plus. Where the game has moved on, nothing is decided."""
        decision = Decision(body["choice"], body.get("table"), body.get("expected_version"))
        by = replace(access().by, device=device())
        try:
            game = decisions.decide(access().owner_id, by, conflict_id, decision, traceparent())
        except Problem as problem:
            if problem.code == "version_conflict":
                problem.extra["conflict"] = _read(conflict_id).document(language())
            raise
        return _json(game.document())

    @blp.route("/<uuid:conflict_id>/reopen", methods=["POST"])
    @may(Right.OWN)
    @with_plus
    @blp.arguments(schemas.ReopenIn)
    @blp.response(201, GameOut)
    @blp.alt_response(409, description="id_taken")
    def reopen_conflict(body: dict[str, Any], conflict_id: UUID) -> Response:
        """Open one side of a conflict as a game of its own; needs the plan Plus."""
        game = reopening.reopen(access().owner_id, conflict_id, body["side"], body.get("id"), traceparent())
        answer = _json(game.document(), 201)
        answer.headers["Location"] = f"/v1/games/{game.id}"
        return answer

    def _read(conflict_id: UUID) -> WholeReading:
        return conflicts.get(access().owner_id, conflict_id)

    return blp


def _json(document: dict[str, Any], status: int = 200) -> Response:
    return Response(dumps(document), status, content_type="application/json")


def _spoken(document: dict[str, Any]) -> Response:
    answer = _json(document)
    answer.headers["Content-Language"] = language()
    answer.headers["Vary"] = "Accept-Language"
    return answer
