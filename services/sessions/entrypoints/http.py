"""The HTTP API of sessions."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import structlog
from flask import Flask, Response, request

from services.sessions.application.games import Games, SeatRequest, Wanted
from services.sessions.application.play import LOG_LIMIT, Play, Sender, Sent
from services.sessions.domain.game import Game
from services.sessions.domain.log import Logged
from services.sessions.domain.place import Place
from services.sessions.domain.roles import OWNER, Right
from services.sessions.entrypoints import schemas
from services.sessions.entrypoints.answers import recorded
from services.sessions.entrypoints.asking import access, device, may, require_plus, traceparent
from shared.contracts import actions
from shared.observability import logging
from shared.web.blueprint import Blueprint
from shared.web.encoding import dumps

log = structlog.get_logger(__name__)


def blueprint(games: Games, play: Play) -> Blueprint:
    """The routes below `/v1/games` on these use cases."""
    blp = Blueprint("games", __name__, url_prefix="/v1/games", description="Games and their logs")

    @blp.route("", methods=["POST"])
    @may(Right.OWN)
    @blp.arguments(schemas.GameIn)
    @blp.response(201, schemas.GameOut)
    @blp.alt_response(409, description="id_taken")
    def create_game(body: dict[str, Any]) -> Response:
        """Start a game; with the client's `id` the request can be repeated safely."""
        places = [SeatRequest(place.get("player_id"), place.get("name")) for place in body["players"]]
        game = games.create(
            _account(),
            _same_form(body),
            body["ruleset"],
            body["options"],
            places,
            body.get("id"),
            traceparent(),
        )
        answer = _json(game.document(), 201)
        answer.headers["Location"] = f"/v1/games/{game.id}"
        return answer

    @blp.route("", methods=["GET"])
    @may(Right.OWN)
    @blp.arguments(schemas.ListQuery, location="query")
    @blp.response(200, schemas.GamesOut)
    def list_games(query: dict[str, Any]) -> Response:
        """List one's games and those shared with one, newest first; `bin=true` lists one's own in the bin."""
        wanted = Wanted(
            query["bin"],
            query.get("status"),
            query.get("player_id"),
            query.get("updated_after"),
            query.get("cursor"),
            query["limit"],
        )
        found = games.listed(_account(), wanted)
        items = found[: wanted.limit]
        last = items[-1][0] if len(found) > wanted.limit else None
        cursor = last and Place(last.created_at, last.id).cursor()
        documents = [game.document() | {"access": {"role": role}} for game, role in items]
        return _json({"items": documents, "next_cursor": cursor})

    @blp.route("/<uuid:game_id>", methods=["GET"])
    @may(Right.READ)
    @blp.arguments(schemas.GameQuery, location="query")
    @blp.response(200, schemas.GameOut, headers={"ETag": {"schema": {"type": "string"}}})
    @blp.alt_response(304, description="Not modified since the ETag in If-None-Match")
    def get_game(query: dict[str, Any], game_id: UUID) -> Response:
        """Read a game, now or with its table as it was at version `at`."""
        version = query.get("at")
        game = games.get(_account(), game_id) if version is None else games.at(_account(), game_id, version)
        return _tagged(game)

    @blp.route("/<uuid:game_id>", methods=["DELETE"])
    @may(Right.OWN)
    @blp.response(204)
    def bin_game(game_id: UUID) -> Response:
        """Put a game into the bin; after 30 days there it is gone for good."""
        games.bin(_account(), game_id, traceparent())
        return Response(status=204)

    @blp.route("/<uuid:game_id>/restore", methods=["POST"])
    @may(Right.OWN)
    @blp.response(200, schemas.GameOut)
    def restore_game(game_id: UUID) -> Response:
        """Take a game out of the bin."""
        return _json(games.restore(_account(), game_id, traceparent()).document())

    @blp.route("/<uuid:game_id>/actions", methods=["POST"])
    @may(Right.RECORD)
    @blp.arguments(schemas.ActionsIn)
    @blp.response(200, schemas.ActionsOut)
    @blp.alt_response(409, description="version_conflict, action_id_reused, game_in_bin")
    def send_actions(body: dict[str, Any], game_id: UUID) -> Response:
        """Send actions: applied in order, up to the first refused one.

        One that names a card later needs the plan Plus.
        """
        sent = [Sent(actions.normal(one), actions.parse_time(one.get("at"))) for one in body["actions"]]
        by = replace(access().by, device=device())
        sender = Sender(_account(), by, traceparent(), is_owner=access().role == OWNER)
        if any(one.action["type"] in actions.OF_PLUS for one in sent):
            require_plus(game_id)
        return recorded(play.record(sender, game_id, sent, body.get("expected_version")))

    @blp.route("/<uuid:game_id>/log", methods=["GET"])
    @may(Right.READ)
    @blp.arguments(schemas.LogQuery, location="query")
    @blp.response(200, schemas.LogOut)
    def read_log(query: dict[str, Any], game_id: UUID) -> Response:
        """Read the log in order: a page as JSON, or all of it with `Accept: application/x-ndjson`.

        With `tables=true` each entry comes with the table and the result as they were after it.
        """
        after = query.get("cursor", query["after"])
        if request.accept_mimetypes.best_match(["application/json", "application/x-ndjson"]) == (
            "application/x-ndjson"
        ):
            found = games.log(_account(), game_id, after, LOG_LIMIT, tables=query["tables"])
            return Response(_lines(found), content_type="application/x-ndjson")
        limit = query["limit"]
        found = games.log(_account(), game_id, after, limit + 1, tables=query["tables"])
        items = [logged.document() for logged in found[:limit]]
        more = len(found) > limit
        return _json({"items": items, "next_cursor": str(items[-1]["seq"]) if more else None})

    return blp


def _lines(found: Sequence[Logged]) -> bytes:
    """A log as lines. It has `LOG_LIMIT` entries at most, so a slow reader holds nothing but its bytes."""
    return b"".join(dumps(logged.document()) + b"\n" for logged in found)


def _json(document: dict[str, Any], status: int = 200) -> Response:
    return Response(dumps(document), status, content_type="application/json")


def _tagged(game: Game) -> Response:
    """The game with a strong ETag over the very bytes sent."""
    body = dumps(game.document())
    answer = Response(body, content_type="application/json")
    answer.set_etag(hashlib.blake2b(body, digest_size=16).hexdigest())
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.make_conditional(request)
    return answer


def _same_form(body: dict[str, Any]) -> dict[str, Any]:
    """A checked request for a game in the one form in which two are compared."""
    places = [{key: str(value) for key, value in place.items()} for place in body["players"]]
    return body | {"players": places} | ({"id": str(body["id"])} if "id" in body else {})


def _account() -> UUID:
    """The account whose games are asked for: the bearer's own, or that whose game is asked for."""
    return access().owner_id


def app_from_environment() -> Flask:
    """The app as the web process serves it."""
    from services.sessions.bootstrap import web_app

    logging.configure("sessions", "web")
    return web_app()
