"""A part is killed exactly where one hands over to another: what was handed over is lost neither way."""

from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from tests.e2e.breaking import api, breakable, follower, inside
from tests.support.api import PASSWORD, Api, Json, Reply, new_game, play, send, sign_up, whole_log
from tests.support.faults import RECOVERY_S, is_taken_once, works
from tests.support.following import STREAM, Follower
from tests.support.inside import Inside
from tests.support.waiting import until

__all__ = ["api", "breakable", "follower", "inside"]

GAME = "SELECT id FROM games WHERE id = %s FOR UPDATE"
PERSON = "SELECT account_id FROM people WHERE account_id = %s FOR UPDATE"


def test_relay_killed_between_commit_and_publish(inside: Inside, follower: Follower, api: Api) -> None:
    game = new_game(api)
    until(lambda: inside.told(STREAM, game["id"]))
    restarts = inside.system.restarts("sessions-relay")
    inside.system.pause("sessions-relay")
    assert send(api, game, [play("up1", 7)]).status == 200
    assert inside.told(STREAM, game["id"]) == ["sessions.game.created"], "committed, not published"
    inside.system.kill("sessions-relay")
    inside.wait_restarted("sessions-relay", restarts)
    follower.wait_for({game["id"]: whole_log(api, game["id"])})
    assert inside.told(STREAM, game["id"]) == ["sessions.game.created", "sessions.game.advanced"]


def test_relay_killed_between_publish_and_marking(inside: Inside, follower: Follower, api: Api) -> None:
    """A lock on the outbox row holds the relay up when the event is on the stream already."""
    game = new_game(api)
    until(lambda: inside.told(STREAM, game["id"]))
    restarts = inside.system.restarts("sessions-relay")
    inside.system.pause("sessions-relay")
    assert send(api, game, [play("up1", 7)]).status == 200
    row = "SELECT id FROM outbox WHERE subject = %s AND published_at IS NULL FOR UPDATE"
    with inside.held(row, game["id"]):
        inside.system.resume("sessions-relay")
        until(lambda: inside.waiting("sessions-relay"), 30, "published, and about to mark it")
        assert inside.told(STREAM, game["id"])[1:] == ["sessions.game.advanced"]
        inside.system.kill("sessions-relay")
        inside.end_waiting("sessions-relay")
    inside.wait_restarted("sessions-relay", restarts)
    unpublished = "SELECT id FROM outbox WHERE subject = %s AND published_at IS NULL"
    until(lambda: not inside.rows(unpublished, game["id"]), 30, "the event is marked")
    assert inside.told(STREAM, game["id"]) == ["sessions.game.created", "sessions.game.advanced"]
    follower.wait_for({game["id"]: whole_log(api, game["id"])})


def test_accounts_relay_killed_between_commit_and_publish(inside: Inside, api: Api) -> None:
    player = api.post("/v1/players", {"name": "Ana"}).json
    game = api.post("/v1/games", {"ruleset": "the-game", "players": [{"player_id": player["id"]}]}).json
    restarts = inside.system.restarts("accounts-relay")
    inside.system.pause("accounts-relay")
    assert api.call("PATCH", f"/v1/players/{player['id']}", {"name": "Anna"}).status == 200
    inside.system.kill("accounts-relay")
    inside.wait_restarted("accounts-relay", restarts)
    until(
        lambda: api.get(f"/v1/games/{game['id']}").json["players"][0]["name"] == "Anna",
        RECOVERY_S,
        "the name follows",
    )


def known_person(inside: Inside) -> tuple[Api, str]:
    """An account that sessions has heard of once, and whose tokens are valid again."""
    first = sign_up(inside.system.url)
    me = first.get("/v1/me").json
    assert first.call("DELETE", "/v1/auth/tokens?everywhere=true").status == 204
    people = "SELECT account_id FROM people WHERE account_id = %s"
    until(lambda: inside.rows(people, me["id"]), RECOVERY_S, "sessions has heard of it")
    answer = Api(first.url).post("/v1/auth/tokens", {"email": me["email"], "password": PASSWORD})
    again = Api(first.url, answer.json["access_token"])
    assert again.get("/v1/games").status == 200
    return again, me["id"]


def test_consumer_killed_between_read_and_effect(inside: Inside) -> None:
    """A lock on the account's row holds the consumer up inside the transaction of its effect."""
    api, account_id = known_person(inside)
    restarts = inside.system.restarts("sessions-consume")
    with inside.held(PERSON, account_id):
        assert api.call("DELETE", "/v1/auth/tokens?everywhere=true").status == 204
        until(lambda: inside.waiting("sessions-consume"), 30, "read, without effect yet")
        assert inside.pending("accounts.events", "sessions") >= 1
        inside.system.kill("sessions-consume")
        inside.end_waiting("sessions-consume")
    inside.wait_restarted("sessions-consume", restarts)
    until(lambda: api.get("/v1/games").status == 401, RECOVERY_S, "the token is ended")
    until(lambda: inside.pending("accounts.events", "sessions") == 0, RECOVERY_S, "acknowledged")


def test_consumer_killed_between_effect_and_acknowledging(inside: Inside) -> None:
    """Redis is frozen while the lock goes, then dies: the effect is committed, its acknowledgement unheard.

    The next consumer is given the event again and knows it.
    """
    api, account_id = known_person(inside)
    restarts = {part: inside.system.restarts(part) for part in ("valkey", "sessions-consume")}
    with inside.held(PERSON, account_id):
        assert api.call("DELETE", "/v1/auth/tokens?everywhere=true").status == 204
        until(lambda: inside.waiting("sessions-consume"), 30, "read, without effect yet")
        inside.system.pause("valkey")
    until(lambda: api.get("/v1/games").status == 401, 30, "the effect is there")
    inside.system.kill("sessions-consume")
    inside.system.kill("valkey")
    for part, count in restarts.items():
        inside.wait_restarted(part, count)
    until(lambda: inside.pending("accounts.events", "sessions") == 0, RECOVERY_S, "acknowledged")
    until(
        lambda: inside.measured("sessions-consume", "ninety8_bus_consumed_total", outcome="duplicate") >= 1,
        RECOVERY_S,
        "the event came again and was known",
    )
    works(inside.system)


def sent_while_held(
    inside: Inside, api: Api, game: Json, laid: Json, pool: ThreadPoolExecutor
) -> Future[Reply]:
    """The play has been judged by the rules and waits for its game's row."""
    sent = pool.submit(partial(send, api, game, [laid]))
    until(lambda: inside.waiting("sessions-web"), 30, "judged, not committed")
    return sent


def test_gateway_killed_between_the_answer_and_its_receipt(
    inside: Inside, follower: Follower, api: Api
) -> None:
    game, laid = new_game(api), play("up1", 7)
    restarts = inside.system.restarts("gateway-web")
    with ThreadPoolExecutor(1) as pool:
        with inside.held(GAME, game["id"]):
            sent = sent_while_held(inside, api, game, laid, pool)
            inside.system.kill("gateway-web")
        assert sent.exception(30) is not None, "the client hears nothing"
    inside.wait_restarted("gateway-web", restarts)
    assert is_taken_once(api, game, laid).json["outcomes"][0]["verdict"] == "duplicate"
    follower.wait_for({game["id"]: whole_log(api, game["id"])})


def test_sessions_killed_between_judgement_and_commit(inside: Inside, follower: Follower, api: Api) -> None:
    game, laid = new_game(api), play("up1", 7)
    restarts = inside.system.restarts("sessions-web")
    with ThreadPoolExecutor(1) as pool:
        with inside.held(GAME, game["id"]):
            sent = sent_while_held(inside, api, game, laid, pool)
            inside.system.kill("sessions-web")
            inside.end_waiting("sessions-web")
        answer = sent.result(30)
        assert answer.status in (200, 503), "the gateway may have asked again by itself"
    inside.wait_restarted("sessions-web", restarts)
    is_taken_once(api, game, laid)
    follower.wait_for({game["id"]: whole_log(api, game["id"])})


def test_sessions_killed_between_commit_and_answer(inside: Inside, follower: Follower, api: Api) -> None:
    """The server carries the statement of the killed process through: committed, and nobody is answered."""
    game, laid = new_game(api), play("up1", 7)
    restarts = inside.system.restarts("sessions-web")
    with ThreadPoolExecutor(1) as pool:
        with inside.held(GAME, game["id"]):
            sent = sent_while_held(inside, api, game, laid, pool)
            inside.system.kill("sessions-web")
        assert sent.result(30).status in (200, 503)
    until(lambda: inside.rows("SELECT seq FROM entries WHERE game_id = %s", game["id"]), 30, "committed")
    inside.wait_restarted("sessions-web", restarts)
    assert is_taken_once(api, game, laid).json["outcomes"][0]["verdict"] == "duplicate"
    follower.wait_for({game["id"]: whole_log(api, game["id"])})


def test_rules_killed_between_read_and_answer(inside: Inside, api: Api) -> None:
    """Frozen while it waits for requests, the responder is given one that it cannot answer any more."""
    game, laid = new_game(api), play("up1", 7)
    restarts = inside.system.restarts("rules-respond")
    inside.system.pause("rules-respond")
    with ThreadPoolExecutor(1) as pool:
        sent = pool.submit(partial(send, api, game, [laid]))
        until(lambda: inside.pending("rules.requests", "rules") or sent.done(), 30, "read, or given up")
        inside.system.kill("rules-respond")
        assert sent.result(30).status in (200, 503)
    inside.wait_restarted("rules-respond", restarts)
    is_taken_once(api, game, laid)
