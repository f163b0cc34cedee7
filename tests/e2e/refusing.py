"""How each error code is brought about through the gateway: one way for every code there is to meet."""

from collections.abc import Callable, Mapping
from uuid import uuid4

import psycopg
import pytest

from tests.support.api import PASSWORD, Api, Json, Reply, action, new_game, play, send, sign_up
from tests.support.system import EmbeddedSystem, System

# Nothing that a client sends brings these about, and why.
OUT_OF_REACH = {
    "internal_error": "a fault of ours, which no request may be able to cause",
    "exports_busy": "takes exports that last; held open in the tests of sessions",
    "too_many_streams": "takes five hundred open streams; driven against a live process with a lower limit",
}
BATCH = 200
PLAYERS_LIMIT = 1_000
LOG_LIMIT = 2_000
INVITATIONS_LIMIT = 20
GUESTS_LIMIT = 50
CONFLICTS_LIMIT = 50
PARKED_LIMIT = 2_000
SYNCED = 1_000

Way = Callable[[System], Reply]
_PLAYERS = [{"name": "Ana"}]
_BLOCKED = ({"type": "block"}, {"type": "confirm"})


def _play(pile: str, *cards: int) -> list[Json]:
    return [{"type": "play", "pile": pile, "card": card} for card in cards]


def _without_a_deck() -> list[Json]:
    """One player lays everything upwards, eight cards a turn, until the last two are in hand."""
    turn_end = [{"type": "draw"}, {"type": "end_turn"}]
    turns = [[*_play("up1", *range(first, first + 8)), *turn_end] for first in range(2, 98, 8)]
    return [one for turn in turns for one in turn]


# The last action is refused with the code, those before it are accepted; one player, normal.
OF_THE_RULES: Mapping[str, list[Json]] = {
    "game_over": [*_BLOCKED, {"type": "draw"}],
    "result_pending": [{"type": "block"}, {"type": "draw"}],
    "pile_unknown": _play("left", 7),
    "card_out_of_range": _play("up1", 100),
    "already_drawn": [*_play("up1", 2, 3), {"type": "draw"}, {"type": "draw"}],
    "hand_empty": _play("up1", *range(2, 11)),
    "card_already_played": [*_play("up1", 7), *_play("down1", 7)],
    "illegal_play": _play("up1", 50, 45),
    "confirmation_required": [
        *_play("up1", 50),
        {"type": "play", "pile": "up1", "confirmed": True},
        *_play("up1", 60),
    ],
    "minimum_not_played": [*_play("up1", 7), {"type": "end_turn"}],
    "nothing_to_draw": [*_without_a_deck(), *_play("up1", 98), {"type": "draw"}],
    "draw_required": [*_play("up1", 2, 3), {"type": "end_turn"}],
    "minimum_already_played": [*_play("up1", 2, 3), {"type": "block"}],
    "no_result_to_confirm": [*_play("up1", 2), {"type": "confirm"}],
    "nothing_to_undo": [{"type": "undo"}],
    "undo_target_mismatch": [*_play("up1", 2), {"type": "undo", "target": "another"}],
    "nothing_to_redo": [*_play("up1", 2), {"type": "redo"}],
}


def _of_the_rules(actions: list[Json]) -> Way:
    def way(system: System) -> Reply:
        api = sign_up(system.url)
        sent = [{"id": str(uuid4()), **one} for one in actions]
        answer = send(api, new_game(api, 1), sent)
        assert answer.json["index"] == len(sent) - 1
        assert answer.json["action_id"] == sent[-1]["id"]
        return answer

    return way


def _malformed_body(system: System) -> Reply:
    return Api(system.url).call("POST", "/v1/accounts", body=b"{")


def _unauthenticated(system: System) -> Reply:
    return Api(system.url).get("/v1/games")


def _bad_credentials(system: System) -> Reply:
    return Api(system.url).post("/v1/auth/tokens", {"email": "nobody@example.org", "password": PASSWORD})


def _bad_refresh_token(system: System) -> Reply:
    return Api(system.url).post("/v1/auth/tokens/refresh", {"refresh_token": "used up"})


def _wrong_password(system: System) -> Reply:
    return sign_up(system.url).call("DELETE", "/v1/me", {"password": "not the password"})


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


def _id_taken(system: System) -> Reply:
    api = sign_up(system.url)
    body = {"id": str(uuid4()), "name": "Ana"}
    assert api.post("/v1/players", body).status == 201
    return api.post("/v1/players", body | {"name": "Ben"})


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


def _ruleset_unknown(system: System) -> Reply:
    return sign_up(system.url).post("/v1/games", {"ruleset": "whist", "players": _PLAYERS})


def _variant_not_covered(system: System) -> Reply:
    return sign_up(system.url).post("/v1/games", {"ruleset": "on-fire", "players": _PLAYERS})


def _rules_version_unknown(system: System) -> Reply:
    """A game that an earlier release started, whose rules are no longer there."""
    if not isinstance(system, EmbeddedSystem):
        pytest.skip("the database of containers is out of reach")
    api = sign_up(system.url)
    game = new_game(api)
    with psycopg.connect(system.variable("SESSIONS_DATABASE_URL")) as connection:
        connection.execute("UPDATE games SET rules_version = '0' WHERE id = %s", [game["id"]])
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


def _with_plus(system: System) -> Api:
    """A new account whose token says that it has Plus."""
    person = {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}
    api = Api(system.url)
    api.token = api.post("/v1/accounts", person).json["access_token"]
    code = system.run("services.accounts", "plus", "codes", "1").strip()
    assert api.post("/v1/me/plus", {"code": code}).status == 200
    return Api(system.url, api.post("/v1/auth/tokens", person).json["access_token"])


def _invitation(api: Api, role: str = "viewer") -> tuple[str, Json]:
    """Where the invitations to a new game are, and one of them."""
    path = f"/v1/games/{new_game(api)['id']}/invitations"
    answer = api.post(path, {"role": role})
    assert answer.status == 201, answer.body
    return path, answer.json


def _accept(system: System, code: str) -> Reply:
    return Api(system.url).post("/v1/invitations/accept", {"code": code})


def _target_not_valueless(system: System) -> Reply:
    api = _with_plus(system)
    sent = [play("up1", 7), action("identify", card=9)]
    return send(api, new_game(api, 1), [sent[0], sent[1] | {"target": sent[0]["id"]}])


def _plus_required(system: System) -> Reply:
    api = sign_up(system.url)
    return api.post(f"/v1/games/{new_game(api)['id']}/invitations", {"role": "viewer"})


def _role_insufficient(system: System) -> Reply:
    _, invitation = _invitation(_with_plus(system))
    guest = _accept(system, invitation["code"]).json
    return send(Api(system.url, guest["access_token"]), guest["game_id"], [play("up1", 7)])


def _operator_required(system: System) -> Reply:
    return sign_up(system.url).call("GET", "/v1/ops/stats")


def _invitation_unknown(system: System) -> Reply:
    return _accept(system, "x" * 43)


def _invitation_ended(system: System) -> Reply:
    api = _with_plus(system)
    path, invitation = _invitation(api)
    assert api.call("DELETE", f"{path}/{invitation['id']}").status == 204
    return _accept(system, invitation["code"])


def _too_many_invitations(system: System) -> Reply:
    api = _with_plus(system)
    path, _ = _invitation(api)
    for _ in range(INVITATIONS_LIMIT - 1):
        assert api.post(path, {"role": "recorder"}).status == 201
    return api.post(path, {"role": "recorder"})


def _too_many_guests(system: System) -> Reply:
    _, invitation = _invitation(_with_plus(system))
    for _ in range(GUESTS_LIMIT):
        assert _accept(system, invitation["code"]).status == 200
    return _accept(system, invitation["code"])


def _conflict(api: Api) -> str:
    """Where the conflict of a new game is: one card lies on two piles, says each side of another one."""
    path = f"/v1/games/{new_game(api)['id']}"
    assert api.post(f"{path}/actions", {"actions": [play("up1", 12)]}).status == 200
    story = {"device": "cellar phone", "base_version": 0, "actions": [play("up2", 12)]}
    answer = api.post(f"{path}/sync", story)
    assert answer.status == 202, answer.body
    return f"/v1/conflicts/{answer.json['conflict']['id']}"


def _too_many_conflicts(system: System) -> Reply:
    """One card lies on two piles, says each of many devices."""
    api = _with_plus(system)
    path = f"/v1/games/{new_game(api)['id']}"
    assert api.post(f"{path}/actions", {"actions": [play("up1", 12)]}).status == 200

    def sync(number: int) -> Reply:
        story = {"device": f"phone {number}", "base_version": 0, "actions": [play("up2", 12)]}
        return api.post(f"{path}/sync", story)

    for number in range(CONFLICTS_LIMIT):
        assert sync(number).status == 202
    return sync(CONFLICTS_LIMIT)


def _too_many_parked(system: System) -> Reply:
    api = _with_plus(system)
    path = f"/v1/games/{new_game(api)['id']}/sync"

    def sync(count: int) -> Reply:
        refused = [play("left", 7) for _ in range(count)]
        return api.post(path, {"device": "cellar phone", "base_version": 0, "actions": refused})

    for _ in range(PARKED_LIMIT // SYNCED):
        assert sync(SYNCED).status == 200
    return sync(1)


def _conflict_settled(system: System) -> Reply:
    api = _with_plus(system)
    decision = f"{_conflict(api)}/decision"
    assert api.post(decision, {"choice": "device"}).status == 200
    return api.post(decision, {"choice": "cloud"})


def _no_proposal(system: System) -> Reply:
    api = _with_plus(system)
    return api.post(f"{_conflict(api)}/decision", {"choice": "merged"})


def _table_impossible(system: System) -> Reply:
    api = _with_plus(system)
    piles = {"up1": 7, "up2": 1, "down1": 100, "down2": 100}
    shown = {"piles": piles, "deck": 98, "hands": [7, 7], "active_seat": 0}
    path = f"/v1/games/{new_game(api)['id']}/adopt"
    return api.post(path, {"table": shown, "expected_version": 0})


WAYS: Mapping[str, Way] = {
    "malformed_body": _malformed_body,
    "unauthenticated": _unauthenticated,
    "bad_credentials": _bad_credentials,
    "bad_refresh_token": _bad_refresh_token,
    "wrong_password": _wrong_password,
    "not_found": _not_found,
    "method_not_allowed": _method_not_allowed,
    "body_too_large": _body_too_large,
    "unsupported_media_type": _unsupported_media_type,
    "validation_failed": _validation_failed,
    "too_many_requests": _too_many_requests,
    "service_unavailable": _service_unavailable,
    "email_taken": _email_taken,
    "code_unknown": _code_unknown,
    "code_used": _code_used,
    "link_expired": _link_expired,
    "id_taken": _id_taken,
    "merge_impossible": _merge_impossible,
    "too_many_players": _too_many_players,
    "not_merged": _not_merged,
    "ruleset_unknown": _ruleset_unknown,
    "variant_not_covered": _variant_not_covered,
    "rules_version_unknown": _rules_version_unknown,
    "player_unknown": _player_unknown,
    "version_conflict": _version_conflict,
    "action_id_reused": _action_id_reused,
    "log_full": _log_full,
    "game_in_bin": _game_in_bin,
    "plus_required": _plus_required,
    "target_not_valueless": _target_not_valueless,
    "role_insufficient": _role_insufficient,
    "operator_required": _operator_required,
    "invitation_unknown": _invitation_unknown,
    "invitation_ended": _invitation_ended,
    "too_many_invitations": _too_many_invitations,
    "too_many_guests": _too_many_guests,
    "conflict_settled": _conflict_settled,
    "no_proposal": _no_proposal,
    "too_many_conflicts": _too_many_conflicts,
    "too_many_parked": _too_many_parked,
    "table_impossible": _table_impossible,
    **{code: _of_the_rules(actions) for code, actions in OF_THE_RULES.items()},
}
