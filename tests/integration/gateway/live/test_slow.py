"""A listener that does not read costs the others nothing and the process little, and is let go."""

import time

from tests.integration.gateway.live.world import World
from tests.support.waiting import until

NOTE = "x" * 4_000
BOUND_BYTES = 16 * 2**20


def test_a_slow_listener_is_dropped_with_a_hint_and_the_others_wait_for_nothing(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game)
    slow, quick = world.listen(process, game, token), world.listen(process, game, token)
    slow.pause()
    behind_s = []
    while process.measured('ninety8_live_dropped_total{reason="too_slow"}') < 1:
        world.play(game, 16, note=NOTE)
        # From when the stream has it: Redis itself may wait for its disk before it says so.
        began_s = time.monotonic()
        quick.wait_seq(len(world.sessions.logs[game]))
        behind_s.append(time.monotonic() - began_s)
        assert len(behind_s) < 100
    assert max(behind_s) < 0.5
    assert len(behind_s) > 10
    slow.resume()
    assert slow.wait_end().data == {"code": "too_slow", "retry_after": None}
    come_back = world.listen(process, game, token, Last_Event_ID=str(slow.seqs()[-1]))
    come_back.wait_seq(len(world.sessions.logs[game]))
    assert slow.seqs() + come_back.seqs() == quick.seqs()


def test_dead_listeners_are_let_go_and_hold_little_memory_until_then(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game)
    quick = world.listen(process, game, token)
    dead = [world.listen(process, game, token) for _ in range(10)]
    for one in dead:
        one.pause()
    before = process.rss_bytes()
    began_s = time.monotonic()
    for _ in range(40):
        world.play(game, 16, note=NOTE)
        quick.wait_seq(len(world.sessions.logs[game]))
    assert process.rss_bytes() - before < BOUND_BYTES
    assert process.measured('ninety8_live_dropped_total{reason="too_slow"}') == len(dead)
    until(lambda: process.measured("ninety8_live_listeners") == 1, timeout_s=30, what="they are let go")
    assert time.monotonic() - began_s < 15
    world.play(game)
    quick.wait_seq(641)


def test_a_dead_listener_in_the_middle_of_the_log_is_let_go_too(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.add(game, 1_000, note=NOTE)
    dead = world.open(process, game, world.sessions.token(game))
    dead.pause()
    before = process.rss_bytes()
    until(
        lambda: process.measured('ninety8_live_dropped_total{reason="stalled"}') == 1,
        timeout_s=30,
        what="it is let go",
    )
    assert process.rss_bytes() - before < BOUND_BYTES
    assert process.measured("ninety8_live_listeners") == 0
