"""Codes about accounts, roles and saved players."""

from collections.abc import Mapping
from uuid import uuid4

from tests.e2e.refusing.way import Way
from tests.support.api import PASSWORD, Api, Reply, sign_up
from tests.support.system import System

PLAYERS_LIMIT = 1_000


def _bad_credentials(system: System) -> Reply:
    return Api(system.url).post("/v1/auth/tokens", {"email": "nobody@example.org", "password": PASSWORD})


def _bad_refresh_token(system: System) -> Reply:
    return Api(system.url).post("/v1/auth/tokens/refresh", {"refresh_token": "used up"})


def _wrong_password(system: System) -> Reply:
    return sign_up(system.url).call("DELETE", "/v1/me", {"password": "not the password"})


def _email_taken(system: System) -> Reply:
    body = {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}
    assert Api(system.url).post("/v1/accounts", body).status == 201
    return Api(system.url).post("/v1/accounts", body | {"email": body["email"].upper()})


def _code_unknown(system: System) -> Reply:
    return sign_up(system.url).post("/v1/me/plus", {"code": "AAAA-AAAA-AAAA-AAAA"})


def _code_used(system: System) -> Reply:
    body = {"code": system.run("services.accounts", "plus", "codes", "1").strip()}
    assert sign_up(system.url).post("/v1/me/plus", body).status == 200
    return sign_up(system.url).post("/v1/me/plus", body)


def _link_expired(system: System) -> Reply:
    return Api(system.url).post("/v1/auth/password-reset", {"code": "x" * 43, "password": PASSWORD})


def _merge_impossible(system: System) -> Reply:
    api = sign_up(system.url)
    player = api.post("/v1/players", {"name": "Ana"}).json["id"]
    return api.post(f"/v1/players/{player}/merge", {"into": player})


def _too_many_players(system: System) -> Reply:
    api = sign_up(system.url)
    for _ in range(PLAYERS_LIMIT):
        assert api.post("/v1/players", {"name": "Ana"}).status == 201
    return api.post("/v1/players", {"name": "Ana"})


def _not_merged(system: System) -> Reply:
    api = sign_up(system.url)
    player = api.post("/v1/players", {"name": "Ana"}).json["id"]
    return api.post(f"/v1/players/{player}/unmerge")


def _operator_required(system: System) -> Reply:
    return sign_up(system.url).call("GET", "/v1/ops/stats")


WAYS: Mapping[str, Way] = {
    "bad_credentials": _bad_credentials,
    "bad_refresh_token": _bad_refresh_token,
    "wrong_password": _wrong_password,
    "email_taken": _email_taken,
    "code_unknown": _code_unknown,
    "code_used": _code_used,
    "link_expired": _link_expired,
    "merge_impossible": _merge_impossible,
    "too_many_players": _too_many_players,
    "not_merged": _not_merged,
    "operator_required": _operator_required,
}
