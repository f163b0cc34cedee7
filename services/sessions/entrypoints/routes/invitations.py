"""Inviting to a game, coming by an invitation and leaving again, and what a bearer may do with a game."""

from typing import Any
from uuid import UUID

from flask import Response

from services.sessions.adapters import qr
from services.sessions.application.access import Rights
from services.sessions.application.invitations import Admitted, Invitations
from services.sessions.application.sharing import Sharing, Welcomed
from services.sessions.domain.roles import Right
from services.sessions.entrypoints import invitation_schemas as schemas
from services.sessions.entrypoints.asking import access, may, sent_bearer, traceparent
from shared.web.blueprint import Blueprint
from shared.web.encoding import dumps
from shared.web.problems import Problem

KEEP_OUT = {"Cache-Control": "no-store"}


def blueprint(invitations: Invitations, sharing: Sharing, rights: Rights, public_url: str) -> Blueprint:
    """The routes on these use cases; `public_url` is where links lead to."""
    blp = Blueprint("invitations", __name__, url_prefix="/v1", description="Taking part in another's game")

    @blp.route("/games/<uuid:game_id>/invitations", methods=["POST"])
    @may(Right.OWN)
    @blp.arguments(schemas.InvitationIn)
    @blp.response(201, schemas.InvitationIssued)
    @blp.alt_response(409, description="too_many_invitations, game_in_bin")
    def create_invitation(body: dict[str, Any], game_id: UUID) -> Response:
        """Invite to a game, to record or to view; needs the plan Plus."""
        owner = access().identity
        assert owner is not None, "only accounts own games"
        issued = invitations.create(owner, game_id, body["role"], body["expires_in"])
        url = f"{public_url}/join#{issued.code}"
        invitation = issued.invitation
        document = {
            "id": invitation.id,
            "role": invitation.role,
            "code": issued.code,
            "url": url,
            "qr": qr.svg(url),
            "created_at": invitation.created_at,
            "expires_at": invitation.expires_at,
        }
        return _json(document, 201)

    @blp.route("/games/<uuid:game_id>/invitations", methods=["GET"])
    @may(Right.OWN)
    @blp.arguments(schemas.InvitationsQuery, location="query")
    @blp.response(200, schemas.InvitationsOut)
    def list_invitations(query: dict[str, Any], game_id: UUID) -> Response:
        """List the invitations to a game, newest first, without their codes."""
        limit = query["limit"]
        found = invitations.listed(access().owner_id, game_id, query.get("cursor"), limit + 1)
        now = invitations.now()
        items = [invitation.document(now, guests) for invitation, guests in found[:limit]]
        cursor = str(items[-1]["id"]) if len(found) > limit else None
        return _json({"items": items, "next_cursor": cursor})

    @blp.route("/games/<uuid:game_id>/invitations/<uuid:invitation_id>", methods=["DELETE"])
    @may(Right.OWN)
    @blp.response(204)
    def revoke_invitation(game_id: UUID, invitation_id: UUID) -> Response:
        """Withdraw an invitation: every token given for it, and every share of the game, ends at once."""
        invitations.revoke(access().owner_id, game_id, invitation_id, traceparent())
        return Response(status=204)

    @blp.route("/invitations/accept", methods=["POST"])
    @blp.arguments(schemas.AcceptIn)
    @blp.response(200, schemas.AcceptedOut)
    @blp.alt_response(401, description="unauthenticated, where a token was sent")
    @blp.alt_response(404, description="invitation_unknown")
    @blp.alt_response(409, description="too_many_guests")
    @blp.alt_response(410, description="invitation_ended")
    def accept_invitation(body: dict[str, Any]) -> Response:
        """Come by an invitation's code: a token for its game alone, without an account.

        With the access token of an account (`Authorization: Bearer`) the game is shared with that instead.
        """
        identity = rights.account(sent_bearer())
        if identity is None:
            return _json(_admitted(invitations.accept(body["code"])))
        account_id = UUID(identity.account_id)
        return _json(_welcomed(sharing.accept(account_id, body["code"], traceparent())))

    @blp.route("/games/<uuid:game_id>/access", methods=["GET"])
    @may(Right.READ)
    @blp.response(200, schemas.AccessOut)
    def read_access(game_id: UUID) -> Response:
        """Read what the token in use allows with a game, and until when."""
        return _json(rights.described(access(), game_id))

    @blp.route("/games/<uuid:game_id>/access", methods=["DELETE"])
    @may(Right.READ)
    @blp.response(204)
    @blp.alt_response(409, description="not_shared")
    def leave_game(game_id: UUID) -> Response:
        """Leave a game that is shared with one's account: it is not among one's games any more."""
        account_id = access().by.account_id
        if account_id is None or not access().is_shared:
            rights.described(access(), game_id)  # as long as there is such a game
            raise Problem("not_shared")
        sharing.leave(account_id, game_id, traceparent())
        return Response(status=204)

    return blp


def _admitted(admitted: Admitted) -> dict[str, Any]:
    invitation = admitted.invitation
    return {
        "access_token": admitted.token,
        "token_type": "Bearer",
        "expires_in": admitted.expires_in_s,
        "expires_at": invitation.expires_at,
        "game_id": invitation.game_id,
        "role": invitation.role,
        "invitation_id": invitation.id,
        "guest_id": admitted.guest_id,
        "shared": False,
    }


def _welcomed(welcomed: Welcomed) -> dict[str, Any]:
    return {
        "access_token": None,
        "token_type": None,
        "expires_in": None,
        "expires_at": None,
        "game_id": welcomed.invitation.game_id,
        "role": welcomed.role,
        "invitation_id": welcomed.invitation_id,
        "guest_id": None,
        "shared": welcomed.is_shared,
    }


def _json(document: dict[str, Any], status: int = 200) -> Response:
    return Response(dumps(document), status, KEEP_OUT, content_type="application/json")
