"""Everybody at a game sees which devices have it open, through whichever process they came."""

import time
from dataclasses import replace
from typing import Any

import pytest

from gateway.live import attendance
from tests.integration.gateway.live.listening import Listening
from tests.integration.gateway.live.world import World
from tests.support.waiting import until
from tests.unit.gateway.live.builders import VIEWER


def names(listener: Listening) -> list[tuple[Any, str, int]]:
    return [(it["device"], it["role"], it["streams"]) for it in listener.devices()]


def sees(listener: Listening, *expected: tuple[Any, str, int]) -> None:
    until(lambda: names(listener) == list(expected), what=f"{expected} are there")


def test_who_comes_and_goes_is_seen(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    owner = world.sessions.token(game)
    phone = world.listen(process, game, owner, X_Device="phone")
    sees(phone, ("phone", "owner", 1))
    guest = world.listen(process, game, world.sessions.token(game, "viewer"))
    again = world.listen(process, game, owner, X_Device="phone")
    for one in (phone, guest, again):
        sees(one, (None, "viewer", 1), ("phone", "owner", 2))
    access = world.sessions.tokens[owner]
    assert phone.devices()[1]["account_id"] == access["account_id"]
    assert phone.devices()[1]["guest_id"] is None
    guest.close()
    sees(phone, ("phone", "owner", 2))
    again.close()
    sees(phone, ("phone", "owner", 1))
    assert all(it.id is None for it in phone.said if it.name == "presence")


def test_other_games_are_not_told(world: World) -> None:
    process, game, other = world.start(), world.sessions.game(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    two = world.listen(process, other, world.sessions.token(other))
    two.close()
    world.play(game)
    one.wait_seq(1)
    assert one.names().count("presence") == 1


def test_devices_of_all_processes_are_seen_and_of_none_that_has_ended(world: World) -> None:
    here, there, game = world.start(), world.start(), world.sessions.game()
    token = world.sessions.token(game)
    one = world.listen(here, game, token, X_Device="one")
    two = world.listen(there, game, token, X_Device="two")
    for it in (one, two):
        sees(it, ("one", "owner", 1), ("two", "owner", 1))
    there.terminate()
    sees(one, ("one", "owner", 1))


def test_a_process_that_says_nothing_any_more_is_forgotten(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game), X_Device="one")
    dead = attendance.of([replace(VIEWER, device="two")])
    world.redis.hset(f"live.presence.{game}", "dead", attendance.packed(dead, time.time() + 2))
    world.redis.publish("live.presence", f"dead {game}")
    sees(one, ("one", "owner", 1), ("two", "viewer", 1))
    sees(one, ("one", "owner", 1))


def test_without_redis_one_sees_the_devices_of_the_own_process(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game)
    one = world.listen(process, game, token, X_Device="one")
    world.server.kill()
    try:
        world.listen(process, game, token, X_Device="two")
        sees(one, ("one", "owner", 1), ("two", "owner", 1))
    finally:
        world.server.restart()


@pytest.mark.parametrize("sent", ["Küche", "K%C3%BCche"])
def test_names_beyond_ascii_are_those_that_the_services_read(world: World, sent: str) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game), X_Device=sent)
    sees(one, ("Küche", "owner", 1))
