"""A stream ends within a second of its right, says why, and only those whose right it was are concerned."""

import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest

from tests.integration.gateway.live.listening import Listening
from tests.integration.gateway.live.world import World
from tests.support.waiting import until

WITHIN_S = 1.0


def ends(listener: Listening, since_s: float) -> str:
    """The code of the end, which must have come within a second."""
    said = listener.wait_end()
    assert said.at_s - since_s < WITHIN_S
    return str(said.data["code"])


@pytest.mark.parametrize(
    ("kind", "role", "key"),
    [
        ("account", "owner", "account_id"),
        ("account", "viewer", "owner_id"),
        ("sign_in", "owner", "sign_in"),
        ("tokens", "owner", "account_id"),
        ("invitation", "viewer", "invitation_id"),
        ("invitation", "recorder", "invitation_id"),
    ],
)
def test_a_right_that_is_taken_away_ends_its_streams(world: World, kind: str, role: str, key: str) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game, role)
    lost = [world.listen(process, game, token) for _ in range(2)]
    kept = world.listen(process, game, world.sessions.token(game))
    access = world.sessions.tokens.pop(token)
    data: dict[str, Any] = {"kind": kind, "id": access[key]}
    if kind == "tokens":
        data["before"] = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    began_s = time.monotonic()
    world.publish("sessions.access.ended", access[key], data)
    assert [ends(it, began_s) for it in lost] == ["unauthenticated"] * 2
    world.play(game)
    kept.wait_seq(1)
    assert [it.seqs() for it in lost] == [[], []]


def test_the_end_of_a_share_ends_that_account_s_streams_on_that_game_as_it_was_shared_before(
    world: World,
) -> None:
    process, game, other = world.start(), world.sessions.game(), world.sessions.game()
    now = datetime.now(UTC)

    def listen(to: str, account: str, joined_at: datetime) -> Listening:
        who = {"account_id": account, "guest_id": None, "sign_in": str(uuid4())}
        token = world.sessions.token(to, "recorder", joined_at=joined_at.isoformat(), **who)
        return world.listen(process, to, token)

    account, another = str(uuid4()), str(uuid4())
    before = now - timedelta(minutes=1)
    lost = listen(game, account, before)
    kept = [listen(game, account, now), listen(game, another, before), listen(other, account, before)]
    data = {"kind": "share", "id": account, "game_id": game, "before": now.isoformat()}
    began_s = time.monotonic()
    world.publish("sessions.access.ended", game, data)
    assert ends(lost, began_s) == "unauthenticated"
    for each in (game, other):
        world.play(each)
    for listener in kept:
        listener.wait_seq(1)


def test_tokens_issued_afterwards_are_not_concerned(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game)
    one = world.listen(process, game, token)
    account = world.sessions.tokens[token]["account_id"]
    before = (datetime.now(UTC) - timedelta(minutes=1)).isoformat()
    world.publish("sessions.access.ended", account, {"kind": "tokens", "id": account, "before": before})
    world.play(game)
    one.wait_seq(1)


def test_a_game_put_into_the_bin_ends_for_its_guests(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    owner = world.listen(process, game, world.sessions.token(game))
    guests = [world.listen(process, game, world.sessions.token(game, it)) for it in ("viewer", "recorder")]
    began_s = time.monotonic()
    world.publish("sessions.game.binned", game, {"game_id": game})
    assert [ends(it, began_s) for it in guests] == ["not_found"] * 2
    world.publish("sessions.game.restored", game, {"game_id": game})
    world.play(game)
    owner.wait_seq(1)


def test_a_game_that_is_gone_for_good_ends_for_everybody(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    everybody = [world.listen(process, game, world.sessions.token(game, it)) for it in ("owner", "viewer")]
    began_s = time.monotonic()
    world.publish("sessions.game.purged", game, {"game_id": game})
    assert [ends(it, began_s) for it in everybody] == ["not_found"] * 2


def test_a_token_that_expires_ends_its_stream(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game, expires_in_s=1.5)
    one = world.listen(process, game, token)
    said = one.wait_end()
    late_s = datetime.now(UTC) - datetime.fromisoformat(world.sessions.tokens[token]["expires_at"])
    assert said.data == {"code": "unauthenticated", "retry_after": None}
    assert timedelta(0) <= late_s < timedelta(seconds=1.2)


def test_a_right_that_ends_while_its_stream_is_being_opened_ends_it_too(world: World) -> None:
    """Sessions may still answer with what it knew a moment ago."""
    process, game = world.start(), world.sessions.game()
    other = world.listen(process, game, world.sessions.token(game))
    token = world.sessions.token(game, "viewer")
    invitation = world.sessions.tokens[token]["invitation_id"]
    world.publish("sessions.access.ended", invitation, {"kind": "invitation", "id": invitation})
    world.play(game)
    other.wait_seq(1)
    late = world.open(process, game, token)
    assert late.wait_end().data["code"] == "unauthenticated"
    assert late.seqs() == []


def test_a_right_whose_end_was_not_heard_of_ends_the_stream_at_the_next_doubt(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game, "viewer")
    one, owner = world.listen(process, game, token), world.listen(process, game, world.sessions.token(game))
    del world.sessions.tokens[token]
    world.play(game)
    one.wait_seq(1)
    world.lose_stream()
    assert one.wait_end().data["code"] == "unauthenticated"
    world.play(game)
    owner.wait_seq(2)


def test_silence_is_broken_by_a_comment_before_seven_seconds_are_over(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    until(lambda: one.names().count(":") >= 2, what="comments come")
    times = [it.at_s for it in one.said]
    assert max(later - sooner for sooner, later in pairwise(times)) < 7


def test_shutdown_tells_everybody_when_to_come_back_and_is_quick(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game)
    everybody = [world.open(process, game, token) for _ in range(100)]
    until(lambda: all(it.devices() for it in everybody), what="all of them are there")
    assert process.terminate() < 3
    ended = [it.wait_end() for it in everybody]
    assert {it.data["code"] for it in ended} == {"service_unavailable"}
    waits = [int(it.retry or 0) for it in ended]
    assert all(500 <= wait <= 2500 for wait in waits)
    assert len(set(waits)) > 20, "they do not come back together"
    assert [it.data["retry_after"] for it in ended] == [wait / 1000 for wait in waits]
    assert not world.redis.keys("live.presence.*")


def test_shutdown_does_not_wait_for_those_who_do_not_read_nor_for_redis(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.add(game, 200, note="x" * 20_000)
    dead = world.open(process, game, world.sessions.token(game))
    dead.pause()
    world.server.pause()
    try:
        assert process.terminate() < 3
    finally:
        world.server.resume()
