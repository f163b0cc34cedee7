"""Correcting a game as a whole."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response

from services.sessions.application.corrections import Corrections
from services.sessions.application.play import Sender
from services.sessions.domain.roles import Right
from services.sessions.entrypoints import sync_schemas as schemas
from services.sessions.entrypoints.answers import recorded
from services.sessions.entrypoints.asking import access, device, may, traceparent, with_plus
from services.sessions.entrypoints.schemas import ActionsOut
from shared.web.blueprint import Blueprint


def blueprint(corrections: Corrections) -> Blueprint:
    """The routes on these use cases."""
    blp = Blueprint("corrections", __name__, url_prefix="/v1/games", description="Several devices, one game")

    @blp.route("/<uuid:game_id>/adopt", methods=["POST"])
    @may(Right.OWN)
    @with_plus
    @blp.arguments(schemas.AdoptIn)
    @blp.response(200, ActionsOut)
    @blp.alt_response(409, description="version_conflict, action_id_reused, game_in_bin")
    def adopt_table(body: dict[str, Any], game_id: UUID) -> Response:
        """Take what the table shows, as one entry that undo takes back; needs the plan Plus."""
        answer = corrections.adopt(
            _sender(), game_id, body["table"], body["expected_version"], body.get("id")
        )
        return recorded(answer, lambda errors: {"json": {"table": errors}})

    @blp.route("/<uuid:game_id>/rewind", methods=["POST"])
    @may(Right.OWN)
    @with_plus
    @blp.arguments(schemas.RewindIn)
    @blp.response(200, ActionsOut)
    @blp.alt_response(409, description="version_conflict, action_id_reused, game_in_bin")
    def rewind_game(body: dict[str, Any], game_id: UUID) -> Response:
        """Go back to an earlier moment, as one entry that undo takes back; needs the plan Plus."""
        answer = corrections.rewind(
            _sender(), game_id, body["to_version"], body["expected_version"], body.get("id")
        )
        return recorded(answer)

    return blp


def _sender() -> Sender:
    return Sender(access().owner_id, replace(access().by, device=device()), traceparent())
