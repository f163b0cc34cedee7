"""Codes about games and their logs."""

from collections.abc import Mapping
from uuid import uuid4

from tests.e2e.refusing.way import Way
from tests.support.api import Reply, action, new_game, play, send, sign_up
from tests.support.system import System

BATCH = 200
LOG_LIMIT = 2_000
_PLAYERS = [{"name": "Ana"}]


def _id_taken(system: System) -> Reply:
    api = sign_up(system.url)
    body = {"id": str(uuid4()), "name": "Ana"}
    assert api.post("/v1/players", body).status == 201
    return api.post("/v1/players", body | {"name": "Ben"})


def _ruleset_unknown(system: System) -> Reply:
    return sign_up(system.url).post("/v1/games", {"ruleset": "whist", "players": _PLAYERS})


def _variant_not_covered(system: System) -> Reply:
    return sign_up(system.url).post("/v1/games", {"ruleset": "on-fire", "players": _PLAYERS})


def _rules_version_unknown(system: System) -> Reply:
    """A game that an earlier release started, whose rules are no longer there."""
    api = sign_up(system.url)
    game = new_game(api)
    system.administer("sessions", f"UPDATE games SET rules_version = '0' WHERE id = '{game['id']}'")
    return send(api, game, [play("up1", 7)])


def _player_unknown(system: System) -> Reply:
    players = [{"player_id": str(uuid4())}]
    return sign_up(system.url).post("/v1/games", {"ruleset": "the-game", "players": players})


def _version_conflict(system: System) -> Reply:
    api = sign_up(system.url)
    game = new_game(api)
    send(api, game, [play("up1", 7)])
    return send(api, game, [play("up1", 8)], expected_version=0)


def _action_id_reused(system: System) -> Reply:
    api = sign_up(system.url)
    game = new_game(api)
    laid = play("up1", 7)
    send(api, game, [laid])
    return send(api, game, [laid | {"card": 8}])


def _log_full(system: System) -> Reply:
    """Playing and taking back, over and over."""
    api = sign_up(system.url)
    game = new_game(api)
    for _ in range(LOG_LIMIT // BATCH):
        batch = [one for _ in range(BATCH // 2) for one in (play("up1", 7), action("undo"))]
        assert send(api, game, batch).status == 200
    return send(api, game, [play("up1", 7)])


def _game_in_bin(system: System) -> Reply:
    api = sign_up(system.url)
    game = new_game(api)
    assert api.call("DELETE", f"/v1/games/{game['id']}").status == 204
    return send(api, game, [play("up1", 7)])


WAYS: Mapping[str, Way] = {
    "id_taken": _id_taken,
    "ruleset_unknown": _ruleset_unknown,
    "variant_not_covered": _variant_not_covered,
    "rules_version_unknown": _rules_version_unknown,
    "player_unknown": _player_unknown,
    "version_conflict": _version_conflict,
    "action_id_reused": _action_id_reused,
    "log_full": _log_full,
    "game_in_bin": _game_in_bin,
}
