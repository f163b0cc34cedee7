"""Codes about invitations and those who accept one."""

from collections.abc import Mapping

from tests.e2e.refusing.way import Way
from tests.support.api import Api, Json, Reply, new_game, play, send, sign_up
from tests.support.guests import owner_with_plus
from tests.support.system import System

INVITATIONS_LIMIT = 20
GUESTS_LIMIT = 50


def _invitation(api: Api, role: str = "viewer") -> tuple[str, Json]:
    """Where the invitations to a new game are, and one of them."""
    path = f"/v1/games/{new_game(api)['id']}/invitations"
    answer = api.post(path, {"role": role})
    assert answer.status == 201, answer.body
    return path, answer.json


def _accept(system: System, code: str) -> Reply:
    return Api(system.url).post("/v1/invitations/accept", {"code": code})


def _role_insufficient(system: System) -> Reply:
    _, invitation = _invitation(owner_with_plus(system).api)
    guest = _accept(system, invitation["code"]).json
    return send(Api(system.url, guest["access_token"]), guest["game_id"], [play("up1", 7)])


def _invitation_unknown(system: System) -> Reply:
    return _accept(system, "x" * 43)


def _invitation_ended(system: System) -> Reply:
    api = owner_with_plus(system).api
    path, invitation = _invitation(api)
    assert api.call("DELETE", f"{path}/{invitation['id']}").status == 204
    return _accept(system, invitation["code"])


def _too_many_invitations(system: System) -> Reply:
    api = owner_with_plus(system).api
    path, _ = _invitation(api)
    for _ in range(INVITATIONS_LIMIT - 1):
        assert api.post(path, {"role": "recorder"}).status == 201
    return api.post(path, {"role": "recorder"})


def _not_shared(system: System) -> Reply:
    api = sign_up(system.url)
    return api.call("DELETE", f"/v1/games/{new_game(api)['id']}/access")


def _too_many_guests(system: System) -> Reply:
    _, invitation = _invitation(owner_with_plus(system).api)
    for _ in range(GUESTS_LIMIT):
        assert _accept(system, invitation["code"]).status == 200
    return _accept(system, invitation["code"])


WAYS: Mapping[str, Way] = {
    "role_insufficient": _role_insufficient,
    "invitation_unknown": _invitation_unknown,
    "invitation_ended": _invitation_ended,
    "too_many_invitations": _too_many_invitations,
    "not_shared": _not_shared,
    "too_many_guests": _too_many_guests,
}
