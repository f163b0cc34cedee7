"""Bringing in what a device recorded on its own, and what of it was refused."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response

from services.sessions.application.parked import Parking
from services.sessions.application.play import Sender, Sent
from services.sessions.application.sync import Sync
from services.sessions.domain.place import Place
from services.sessions.domain.roles import OWNER, Right
from services.sessions.entrypoints import sync_schemas as schemas
from services.sessions.entrypoints.answers import as_json
from services.sessions.entrypoints.asking import access, may, traceparent, with_plus
from shared.contracts import actions
from shared.web.blueprint import Blueprint


def blueprint(sync: Sync, parking: Parking) -> Blueprint:
    """The routes on these use cases."""
    blp = Blueprint("sync", __name__, url_prefix="/v1/games", description="Several devices, one game")

    @blp.route("/<uuid:game_id>/sync", methods=["POST"])
    @may(Right.RECORD)
    @with_plus
    @blp.arguments(schemas.SyncIn)
    @blp.response(200, schemas.SyncedOut)
    @blp.alt_response(
        202,
        schema=schemas.BranchedOut,
        description="Kept, to be reconciled with the log",
        headers={"Location": {"schema": {"type": "string"}}},
    )
    @blp.alt_response(
        409,
        description="version_conflict, action_id_reused, game_in_bin, too_many_conflicts, too_many_parked",
    )
    def sync_game(body: dict[str, Any], game_id: UUID) -> Response:
        """Bring in what a device recorded on its own; needs the plan Plus of the game's owner.

        It never stops at a refusal: refused actions are parked. The same again is answered alike.
        """
        sent = [Sent(actions.normal(one), actions.parse_time(one.get("at"))) for one in body["actions"]]
        by = replace(access().by, device=body["device"].strip())
        sender = Sender(access().owner_id, by, traceparent(), is_owner=access().role == OWNER)
        synced = sync.bring(sender, game_id, body["base_version"], sent)
        document: dict[str, Any] = {
            "version": synced.game.head.version,
            "outcomes": synced.outcomes,
            "parked": synced.parked,
        }
        if synced.conflict_id is None:
            return as_json({**document, "game": synced.game.document()})
        answer = as_json({"conflict": {"id": synced.conflict_id}, **document}, 202)
        answer.headers["Location"] = f"/v1/conflicts/{synced.conflict_id}"
        return answer

    @blp.route("/<uuid:game_id>/parked", methods=["GET"])
    @may(Right.READ)
    @blp.arguments(schemas.ParkedQuery, location="query")
    @blp.response(200, schemas.ParkedPageOut)
    def list_parked(query: dict[str, Any], game_id: UUID) -> Response:
        """List what was refused of branches, newest first."""
        limit = query["limit"]
        found = parking.listed(access().owner_id, game_id, query.get("cursor"), limit + 1)
        items = [it.document() for it in found[:limit]]
        last = found[limit - 1] if len(found) > limit else None
        cursor = last and Place(last.parked_at, UUID(last.action["id"])).cursor()
        return as_json({"items": items, "next_cursor": cursor})

    @blp.route("/<uuid:game_id>/parked/<uuid:action_id>", methods=["DELETE"])
    @may(Right.OWN)
    @blp.response(204)
    def discard_parked(game_id: UUID, action_id: UUID) -> Response:
        """Put a refused action away."""
        parking.discard(access().owner_id, game_id, action_id)
        return Response(status=204)

    return blp
