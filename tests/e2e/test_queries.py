"""Garbage in the address: refused in a query, nothing there in a path, and never a fault."""

import pytest

from tests.support.system import System
from tests.support.world import World, new_world


@pytest.fixture(scope="module")
def world(system: System) -> World:
    return new_world(system.url)


@pytest.mark.parametrize(
    "query",
    [
        "?limit=0",
        "?limit=201",
        "?limit=-1",
        "?limit=1e3",
        "?limit=99999999999999999999",
        "?limit=%00",
        "?limit=%D9%A3x",
        "?limit=",
        "?limit[]=1",
        "?cursor=%FF%FE",
        "?cursor=not-one-of-ours",
        "?cursor=%00",
        "?more=1",
        "?%00=1",
        "?%FF=1",
    ],
)
def test_a_query_of_garbage_is_refused(world: World, query: str) -> None:
    paths = ["/v1/games", "/v1/players", f"/v1/games/{world.game_id}/log", "/v1/results"]
    if "cursor" not in query:  # any text is a place among names
        paths.append("/v1/rulesets")
    for path in paths:
        assert world.api.get(path + query).code == "validation_failed", path


@pytest.mark.parametrize(
    "query",
    [
        "/v1/games?updated_after=yesterday",
        "/v1/games?updated_after=2026-01-01T00:00:00",
        "/v1/games?player_id=1",
        "/v1/games?player_id=%00",
        "/v1/games?bin=maybe",
        "/v1/games?status=",
        "/v1/games?status=%00",
        "/v1/games/{game}?at=-1",
        "/v1/games/{game}?at=99999999999999999999",
        "/v1/games/{game}?at=1.0",
        "/v1/games/{game}?at=",
        "/v1/games/{game}/log?after=-1",
        "/v1/games/{game}/log?after=99999999999999999999",
        "/v1/games/{game}/log?after=%00",
        "/v1/players?archived=perhaps",
        "/v1/players?merged=",
        "/v1/stats?by=colour",
        "/v1/stats?by=month,month",
        "/v1/stats?by=%00",
        "/v1/stats?from=2026-02-30",
        "/v1/stats?from=2026-02-02&to=2026-02-01",
        "/v1/stats?players=0",
        "/v1/stats?player_id=1",
        "/v1/results?from=%D9%A3",
        "/v1/results?to=",
        "/v1/results?difficulty=%00",
        "/v1/results?reduced_hand=perhaps",
        "/v1/results?cursor=" + "A" * 33,
        "/v1/results?cursor=" + "_" * 32,
        "/v1/stats/yardstick?players=6",
    ],
)
def test_a_query_that_asks_for_nothing_there_can_be_is_refused(world: World, query: str) -> None:
    assert world.api.get(query.format(game=world.game_id)).code == "validation_failed"


@pytest.mark.parametrize(
    "query",
    [
        "/v1/games?updated_after=9999-12-31T23:59:59-23:59",
        "/v1/games?updated_after=0001-01-01T00:00:00%2B23:59",
        "/v1/games?status=%ED%A0%80",
        "/v1/games?status=nothing-of-the-kind",
        "/v1/games?cursor=" + "A" * 32,
        "/v1/games/{game}/log?after=2147483647",
        "/v1/games/{game}/log?cursor=2147483647",
        "/v1/rulesets?cursor=%00",
        "/v1/stats?from=0001-01-01&to=9999-12-31&by=month",
        "/v1/stats?from=9999-12-31",
        "/v1/stats?to=0001-01-01",
        "/v1/results?from=0001-01-01&to=9999-12-31",
        "/v1/results?difficulty=%ED%A0%80",
        "/v1/results?cursor=" + "A" * 32,
    ],
)
def test_a_query_for_what_is_far_away_is_answered(world: World, query: str) -> None:
    assert world.api.get(query.format(game=world.game_id)).status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/v1/games/not-a-uuid",
        "/v1/games/{game}x",
        "/v1/games/{game}%00",
        "/v1/games/%00",
        "/v1/games/%FF",
        "/v1/games/%ED%A0%80",
        "/v1/games/%2e%2e/me",
        "/v1/games/{game}/log/",
        "/v1/games//log",
        "/v1/games/{{{game}}}",
        "/v1/games/urn:uuid:{game}",
        "/v1/players/0",
        "/v1/players/%F0%9F%82%A1",
        "/v1/rulesets/%00",
        "/problems/%00",
        "/docs/%2e%2e%2fsettings.py",
        "/docs/%2Fetc%2Fpasswd",
        "/%00",
        "/%FF",
        "/" + "x" * 4000,
    ],
)
def test_where_nothing_is_nothing_is_found(world: World, path: str) -> None:
    answer = world.api.get(path.format(game=world.game_id))
    assert (answer.status, answer.code) == (404, "not_found")


def test_an_id_in_another_spelling_is_not_another_thing(world: World) -> None:
    """Upper case is the same id; without its hyphens it is none."""
    upper = world.api.get(f"/v1/games/{world.game_id.upper()}")
    assert upper.status in (200, 404)
    if upper.status == 200:
        assert upper.json["id"] == world.game_id
    assert world.api.get(f"/v1/games/{world.game_id.replace('-', '')}").code == "not_found"


def test_an_address_that_is_too_long_is_refused(world: World) -> None:
    assert world.api.get(f"/v1/games?status={'x' * 3000}").code == "validation_failed"
    answer = world.api.get(f"/v1/games?status={'x' * 100_000}")
    assert 400 <= answer.status < 500
