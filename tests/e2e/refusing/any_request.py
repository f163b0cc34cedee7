"""Codes of what may be wrong with any request, whatever it asks."""

from collections.abc import Mapping
from uuid import uuid4

from tests.e2e.refusing.way import Way
from tests.support.api import Api, Reply, new_game, play, send, sign_up
from tests.support.system import System


def _malformed_body(system: System) -> Reply:
    return Api(system.url).call("POST", "/v1/accounts", body=b"{")


def _unauthenticated(system: System) -> Reply:
    return Api(system.url).get("/v1/games")


def _not_found(system: System) -> Reply:
    return sign_up(system.url).get(f"/v1/games/{uuid4()}")


def _method_not_allowed(system: System) -> Reply:
    return Api(system.url).call("PUT", "/v1/games", {})


def _body_too_large(system: System) -> Reply:
    return Api(system.url).call("POST", "/v1/accounts", body=b" " * 300_000)


def _unsupported_media_type(system: System) -> Reply:
    return Api(system.url).call("POST", "/v1/accounts", body=b"a=b", Content_Type="text/plain")


def _validation_failed(system: System) -> Reply:
    return sign_up(system.url).post("/v1/players", {"name": "Ana", "age": 30})


def _too_many_requests(system: System) -> Reply:
    api = Api(system.url)
    guess = {"email": f"{uuid4().hex}@example.org", "password": "one of many guesses"}
    for _ in range(10):
        assert api.post("/v1/auth/tokens", guess).code == "bad_credentials"
    return api.post("/v1/auth/tokens", guess)


def _service_unavailable(system: System) -> Reply:
    api = sign_up(system.url)
    game = new_game(api)
    system.pause("rules-respond")
    try:
        return send(api, game, [play("up1", 7)])
    finally:
        system.resume("rules-respond")
        system.wait_ready()


WAYS: Mapping[str, Way] = {
    "malformed_body": _malformed_body,
    "unauthenticated": _unauthenticated,
    "not_found": _not_found,
    "method_not_allowed": _method_not_allowed,
    "body_too_large": _body_too_large,
    "unsupported_media_type": _unsupported_media_type,
    "validation_failed": _validation_failed,
    "too_many_requests": _too_many_requests,
    "service_unavailable": _service_unavailable,
}
