"""Saved players."""

from typing import Any
from uuid import UUID

from services.accounts.application import players
from services.accounts.application.parts import Parts
from services.accounts.application.players import Shown
from services.accounts.domain.pages import Filter, Place
from services.accounts.entrypoints.schemas import answers, cursor, requests
from services.accounts.entrypoints.who import account_id
from shared.web.bearer import signed_in
from shared.web.blueprint import Blueprint


def blueprint(parts: Parts) -> Blueprint:
    """`/v1/players`."""
    blp = Blueprint("players", __name__, url_prefix="/v1/players", description="Saved players")

    @blp.route("", methods=["GET"])
    @signed_in
    @blp.arguments(requests.PlayersQuery, location="query")
    @blp.response(200, answers.PlayersOut)
    def list_players(query: dict[str, Any]) -> dict[str, Any]:
        """List players in the order they were made; archived and merged ones only when asked for."""
        limit = query["limit"]
        only = Filter(requests.CHOICES[query["archived"]], requests.CHOICES[query["merged"]])
        found = players.page(parts, account_id(), only, query.get("cursor"), limit + 1)
        items = found[:limit]
        return {"items": items, "next_cursor": _cursor(items[-1]) if len(found) > limit else None}

    @blp.route("", methods=["POST"])
    @signed_in
    @blp.arguments(requests.PlayerIn)
    @blp.response(201, answers.PlayerOut)
    @blp.alt_response(409, description="id_taken")
    def create_player(body: dict[str, Any]) -> tuple[Shown, int, dict[str, str]]:
        """Save a player; the same id and body again answer the same player."""
        made = players.add(parts, account_id(), body.get("id"), body["name"], body["colour"])
        return made, 201, {"Location": f"/v1/players/{made.player.id}"}

    @blp.route("/<uuid:player_id>", methods=["GET"])
    @signed_in
    @blp.response(200, answers.PlayerOut)
    def read_player(player_id: UUID) -> Shown:
        """Read a player."""
        return players.find(parts, account_id(), player_id)

    @blp.route("/<uuid:player_id>", methods=["PATCH"])
    @signed_in
    @blp.arguments(requests.PlayerChangeIn, required=False)
    @blp.response(200, answers.PlayerOut)
    def change_player(body: dict[str, Any], player_id: UUID) -> Shown:
        """Rename a player, change the colour, archive it or take it out of the archive."""
        return players.change(parts, account_id(), player_id, body)

    @blp.route("/<uuid:player_id>", methods=["DELETE"])
    @signed_in
    @blp.response(204)
    def archive_player(player_id: UUID) -> None:
        """Archive a player; nothing is lost."""
        players.change(parts, account_id(), player_id, {"archived": True})

    @blp.route("/<uuid:player_id>/merge", methods=["POST"])
    @signed_in
    @blp.arguments(requests.MergeIn)
    @blp.response(200, answers.PlayerOut)
    def merge_player(body: dict[str, UUID], player_id: UUID) -> Shown:
        """Let another player stand for this one: they are one person."""
        return players.merge(parts, account_id(), player_id, body["into"])

    @blp.route("/<uuid:player_id>/unmerge", methods=["POST"])
    @signed_in
    @blp.response(200, answers.PlayerOut)
    @blp.alt_response(409, description="not_merged")
    def unmerge_player(player_id: UUID) -> Shown:
        """Take a merge back: this player stands for itself again, and for those merged into it."""
        return players.unmerge(parts, account_id(), player_id)

    return blp


def _cursor(last: Shown) -> str:
    return cursor.written(Place(last.player.created_at, last.player.id))
