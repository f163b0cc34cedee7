"""Whoever may not listen is told so as everywhere else, and sessions' own words are passed on."""

import json
from http.client import HTTPConnection, HTTPMessage
from typing import Any

import pytest

from shared.contracts.problems import CODES
from tests.integration.gateway import standin
from tests.integration.gateway.live.world import Process, World
from tests.support.waiting import until


def ask(
    process: Process, path: str, token: str = "", method: str = "GET", **headers: str
) -> tuple[int, HTTPMessage, Any]:
    """Status, headers and problem document."""
    connection = HTTPConnection("127.0.0.1", process.port, timeout=15)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers={"Authorization": f"Bearer {token}"} | sent)
    answer = connection.getresponse()
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status, answer.headers, json.loads(answer.read())


def test_what_sessions_says_about_the_right_is_passed_on(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    status, headers, problem = ask(process, f"/v1/games/{game}/live", "forged")
    assert (status, headers["WWW-Authenticate"], problem) == (401, "Bearer", {"code": "unauthenticated"})
    token = world.sessions.token(game)
    status, _, problem = ask(process, f"/v1/games/{world.sessions.game()}/live", token)
    assert (status, problem) == (404, {"code": "not_found"})


def test_a_retry_after_of_sessions_is_passed_on(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.refusal = standin.problem(429, "too_many_requests", Retry_After="7")
    status, headers, _ = ask(process, f"/v1/games/{game}/live", "any")
    assert (status, headers["Retry-After"]) == (429, "7")


@pytest.mark.parametrize(
    "behaviour",
    [
        standin.hang_up,
        standin.hang_up_inside,
        standin.page(404),
        standin.page(502),
        standin.problem(500, "internal_error"),
        standin.answer(200, {"role": "owner"}),
        standin.answer(200, [1]),
        standin.page(200),
    ],
)
def test_sessions_without_a_sensible_answer_is_away(world: World, behaviour: standin.Behaviour) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.refusal = behaviour
    status, headers, problem = ask(process, f"/v1/games/{game}/live", "any", Accept_Language="de;q=0.5, fr")
    assert (status, problem["code"], headers["Retry-After"]) == (503, "service_unavailable", "1")
    assert headers["Content-Language"] == "fr"
    assert problem["request_id"] == headers["X-Request-Id"]


@pytest.mark.parametrize("position", ["-1", "4", "1.5", "x", "99999999999999999999", "٣"])
def test_a_position_that_the_game_does_not_have_is_not_valid(world: World, position: str) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.add(game, 3)
    token = world.sessions.token(game)
    headers = {"Last_Event_ID": position} if position.isascii() else {}
    if headers:
        status, _, problem = ask(process, f"/v1/games/{game}/live", token, **headers)
        assert (status, problem["code"]) == (422, "validation_failed")
        assert list(problem["errors"]["headers"]) == ["Last-Event-ID"]
    query = "".join(f"%{byte:02x}" for byte in position.encode())
    status, _, problem = ask(process, f"/v1/games/{game}/live?after={query}", token)
    assert (status, problem["code"], list(problem["errors"]["query"])) == (
        422,
        "validation_failed",
        ["after"],
    )


@pytest.mark.parametrize("query", ["?after=1&after=2", "?before=1", "?after=", "?cursor=1"])
def test_a_query_that_is_not_known_is_not_valid(world: World, query: str) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.add(game, 3)
    status, _, problem = ask(process, f"/v1/games/{game}/live{query}", world.sessions.token(game))
    assert (status, problem["code"]) == (422, "validation_failed")


def test_a_device_with_too_long_a_name_is_not_valid(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    status, _, problem = ask(process, f"/v1/games/{game}/live", world.sessions.token(game), X_Device="x" * 65)
    assert (status, list(problem["errors"]["headers"])) == (422, ["X-Device"])


@pytest.mark.parametrize("game", ["x", "..%2Fgames", "1", "%00"])
def test_what_is_no_id_is_not_found_and_nobody_is_asked(world: World, game: str) -> None:
    process = world.start()
    status, _, problem = ask(process, f"/v1/games/{game}/live", "any")
    assert (status, problem["code"]) == (404, "not_found")
    assert not world.sessions.standin.received


def test_other_addresses_and_methods_are_refused(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    assert ask(process, "/v1/games")[2]["code"] == "not_found"
    status, headers, problem = ask(process, f"/v1/games/{game}/live", method="POST")
    assert (status, problem["code"], headers["Allow"]) == (405, "method_not_allowed", "GET,HEAD")


def test_one_bearer_has_so_many_streams_and_no_more(world: World) -> None:
    process, game = world.start(LIVE_STREAMS_PER_BEARER="2"), world.sessions.game()
    token = world.sessions.token(game)
    first, _ = [world.listen(process, game, token) for _ in range(2)]
    status, headers, problem = ask(process, f"/v1/games/{game}/live", token)
    assert (status, problem["code"]) == (CODES["too_many_streams"].status, "too_many_streams")
    assert int(headers["Retry-After"]) == problem["retry_after"] > 0
    world.listen(process, game, world.sessions.token(game, "viewer"))
    first.close()
    until(lambda: process.measured("ninety8_live_listeners") == 2)
    world.listen(process, game, token)


def test_a_process_that_is_full_sends_the_next_one_elsewhere(world: World) -> None:
    process, game = world.start(LIVE_STREAMS="1"), world.sessions.game()
    world.listen(process, game, world.sessions.token(game))
    status, headers, problem = ask(process, f"/v1/games/{game}/live", world.sessions.token(game))
    assert (status, problem["code"]) == (503, "service_unavailable")
    assert int(headers["Retry-After"]) > 0


def test_readiness_says_what_is_missing(world: World) -> None:
    process = world.start()
    assert process.get("/live") == 200
    world.server.kill()
    try:
        until(lambda: process.get("/ready") == 503, what="the process is not ready")
        assert process.get("/live") == 200
    finally:
        world.server.restart()
    process.ready()
