"""Parts and servers die, freeze and forget while people play: nothing is lost, and nothing counts twice."""

import threading
from functools import partial
from uuid import uuid4

import pytest
from urllib3.exceptions import HTTPError

from tests.e2e.breaking import api, breakable, follower, inside
from tests.support.api import PASSWORD, Api, action, new_game, play, send, sign_up, whole_log
from tests.support.faults import RECOVERY_S, is_taken_once, kill_while_playing, works
from tests.support.following import Follower
from tests.support.inside import Inside
from tests.support.playing import Evening, Patient, playing
from tests.support.waiting import until

__all__ = ["api", "breakable", "follower", "inside"]

PARTS = (
    "sessions-web",
    "sessions-relay",
    "sessions-consume",
    "sessions-work",
    "sessions-beat",
    "rules-respond",
    "rules-web",
    "accounts-web",
    "accounts-respond",
    "accounts-relay",
    "gateway-web",
)


def check(evening: Evening, follower: Follower, inside: Inside) -> None:
    """Every accepted action is in the log once and told once, and the system does all that it should."""
    inside.wait_whole()
    follower.wait_for(evening.audit())
    works(inside.system)
    sweeps(inside)


def sweeps(inside: Inside) -> None:
    """What is due is purged: a deleted account's games by event, those in the bin by the beat."""
    gone, binned = sign_up(inside.system.url), sign_up(inside.system.url)
    games = [new_game(api)["id"] for api in (gone, binned)]
    assert Patient(gone).call("DELETE", "/v1/me", {"password": PASSWORD}).status in (204, 401)
    assert Patient(binned).call("DELETE", f"/v1/games/{games[1]}").status == 204
    until(
        lambda: not inside.rows("SELECT id FROM games WHERE id = ANY(%s::uuid[])", games),
        RECOVERY_S,
        "the games are purged",
    )


@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_killed_while_people_play_comes_back_and_nothing_is_lost(
    inside: Inside, follower: Follower, part: str
) -> None:
    restarts = inside.system.restarts(part)
    logs = kill_while_playing(inside.system, part)
    inside.wait_restarted(part, restarts)
    follower.wait_for(logs)
    sweeps(inside)


def test_rules_that_are_killed_again_and_again_cost_nothing_but_time(
    inside: Inside, follower: Follower
) -> None:
    with playing(inside.system.url) as evening:
        for _ in range(3):
            inside.kill("rules-respond")
            evening.wait_for_plays(2)
    check(evening, follower, inside)


def test_without_rules_a_play_is_refused_for_now_nothing_is_stored_and_the_same_request_works_later(
    inside: Inside, api: Api
) -> None:
    game = new_game(api)
    laid, body = play("up1", 7), {"id": str(uuid4()), "ruleset": "the-game", "players": [{"name": "Ana"}]}
    inside.system.pause("rules-respond")
    try:
        for attempt in (partial(send, api, game, [laid]), partial(api.post, "/v1/games", body)):
            refused = attempt()
            assert (refused.status, refused.code) == (503, "service_unavailable")
            assert int(refused.headers["Retry-After"]) >= 1
            assert refused.json["retry_after"] >= 1
        assert api.get(f"/v1/games/{game['id']}").json == game
        assert whole_log(api, game["id"]) == []
        assert [it["id"] for it in api.get("/v1/games").json["items"]] == [game["id"]]
        assert inside.rows("SELECT type FROM outbox WHERE subject = %s", game["id"]) == [
            ("sessions.game.created",)
        ]
    finally:
        inside.system.resume("rules-respond")
    patient = Patient(api)
    assert patient.call("POST", "/v1/games", body).json["id"] == body["id"]
    again = patient.call("POST", f"/v1/games/{game['id']}/actions", {"actions": [laid]})
    assert again.json["outcomes"][0]["verdict"] == "accepted"
    assert [entry["action"] for entry in whole_log(api, game["id"])] == [laid]


def test_without_accounts_no_saved_player_is_seated_nothing_is_stored_and_the_same_request_works_later(
    inside: Inside, api: Api
) -> None:
    player = api.post("/v1/players", {"name": "Ana"}).json["id"]
    body = {"id": str(uuid4()), "ruleset": "the-game", "players": [{"player_id": player}]}
    inside.system.pause("accounts-respond")
    try:
        refused = api.post("/v1/games", body)
        assert (refused.status, refused.code) == (503, "service_unavailable")
        assert api.get("/v1/games").json["items"] == []
    finally:
        inside.system.resume("accounts-respond")
    made = Patient(api).call("POST", "/v1/games", body)
    assert (made.status, made.json["players"][0]["name"]) == (201, "Ana")


def test_sessions_that_cannot_get_the_keys_of_tokens_says_that_it_is_away_and_not_who_you_are(
    inside: Inside, api: Api
) -> None:
    game = new_game(api)
    restarts = inside.system.restarts("sessions-web")
    inside.system.pause("accounts-web")
    try:
        inside.system.kill("sessions-web")
        until(lambda: inside.parts()["sessions-web"]["restarts"] > restarts, RECOVERY_S)
        assert {api.get(f"/v1/games/{game['id']}").status for _ in range(3)} == {503}
        until(lambda: is_refused_by_sessions_itself(inside, api), 60, "sessions answers")
    finally:
        inside.system.resume("accounts-web")
    assert Patient(api).call("GET", f"/v1/games/{game['id']}").json == game


def is_refused_by_sessions_itself(inside: Inside, api: Api) -> bool:
    """Asked without the gateway, which answers 503 for a service that is not there."""
    own = Api(f"http://127.0.0.1:{inside.parts()['sessions-web']['port']}", api.token)
    try:
        reply = own.get("/v1/games")
    except HTTPError:
        return False
    assert reply.status == 503, reply.body
    return True


def test_redis_frozen_for_five_seconds(inside: Inside, follower: Follower) -> None:
    with playing(inside.system.url) as evening:
        inside.system.pause("valkey")
        threading.Event().wait(5)
        inside.system.resume("valkey")
        evening.wait_for_plays(10)
    check(evening, follower, inside)


def test_redis_killed_and_restarted(inside: Inside, follower: Follower) -> None:
    with playing(inside.system.url) as evening:
        inside.kill("valkey")
        evening.wait_for_plays(10)
    check(evening, follower, inside)


def test_redis_flushed(inside: Inside, follower: Follower) -> None:
    with playing(inside.system.url) as evening:
        for _ in range(3):
            inside.flush()
            evening.wait_for_plays(10)
    check(evening, follower, inside)


def test_an_event_that_redis_forgets_before_its_consumer_has_handled_it_is_published_again(
    inside: Inside, api: Api
) -> None:
    account_id = api.get("/v1/me").json["id"]
    player = api.post("/v1/players", {"name": "Ana"}).json["id"]
    game = api.post("/v1/games", {"ruleset": "the-game", "players": [{"player_id": player}]}).json
    restarts = inside.system.restarts("sessions-consume")
    inside.system.pause("sessions-consume")
    told = len(inside.told("accounts.events", account_id))
    assert api.call("PATCH", f"/v1/players/{player}", {"name": "Anna"}).status == 200
    until(lambda: len(inside.told("accounts.events", account_id)) > told, 30, "published")
    inside.flush()
    inside.system.kill("sessions-consume")
    inside.wait_restarted("sessions-consume", restarts)
    until(
        lambda: api.get(f"/v1/games/{game['id']}").json["players"][0]["name"] == "Anna",
        RECOVERY_S,
        "the name follows",
    )


@pytest.mark.parametrize("way", ["kill", "restart"])
def test_postgresql_that_ends_and_is_started_again(inside: Inside, follower: Follower, way: str) -> None:
    with playing(inside.system.url) as evening:
        getattr(inside, way)("postgres")
        evening.wait_for_plays(10)
    check(evening, follower, inside)


def test_a_frozen_sessions_that_goes_on_later_does_not_count_twice(inside: Inside, api: Api) -> None:
    """The gateway has given up on the request, which is carried through afterwards, as is its repetition."""
    game, laid = new_game(api), play("up1", 7)
    inside.system.pause("sessions-web")
    try:
        refused = send(api, game, [laid])
        assert (refused.status, refused.code) == (503, "service_unavailable")
    finally:
        inside.system.resume("sessions-web")
    is_taken_once(api, game, laid)
    undone = send(api, game, [action("undo", target=laid["id"])])
    assert undone.json["game"]["table"] == game["table"]
