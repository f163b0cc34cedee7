"""What Redis or the relay loses is in the log, and therefore in every stream."""

import signal

from tests.integration.gateway.live.world import World
from tests.support.waiting import until


def test_a_lost_stream_loses_no_entry(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    world.play(game)
    one.wait_seq(1)
    world.sessions.add(game, 2)
    world.lose_stream()
    one.wait_seq(3)
    world.play(game)
    one.wait_seq(4)
    assert one.seqs() == [1, 2, 3, 4]


def test_a_stream_that_was_lost_and_has_grown_beyond_what_it_was_is_noticed(world: World) -> None:
    process, game, other = world.start(), world.sessions.game(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    world.play(other)
    world.play(game)
    one.wait_seq(1)
    with world.redis.pipeline(transaction=True) as at_once:
        world.sessions.add(game, 1)
        at_once.flushall()
        for _ in range(9):
            at_once.xadd("sessions.events", {"event": b"{}"})
        at_once.execute()
    one.wait_seq(2)
    world.play(game)
    one.wait_seq(3)


def test_a_restart_of_redis_loses_no_entry(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    world.play(game)
    one.wait_seq(1)
    world.server.kill()
    world.sessions.add(game, 2)
    world.server.restart()
    one.wait_seq(3)
    process.ready()
    world.play(game)
    one.wait_seq(4)
    assert one.seqs() == [1, 2, 3, 4]
    assert process.measured("ninety8_live_resyncs_total") >= 2


def test_a_redis_that_does_not_answer_loses_no_entry(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    world.server.pause()
    try:
        until(lambda: not process.checks()["feed"], what="the silence is noticed")
        world.sessions.add(game, 2)
    finally:
        world.server.resume()
    one.wait_seq(2)


def test_entries_trimmed_before_they_were_read_are_missed_by_nobody(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    process.process.send_signal(signal.SIGSTOP)
    try:
        world.play(game, 2)
        world.redis.xtrim("sessions.events", maxlen=0)
    finally:
        process.process.send_signal(signal.SIGCONT)
    one.wait_seq(2)


def test_streams_opened_while_redis_is_away_have_the_log_and_later_the_rest(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.add(game, 2)
    world.server.kill()
    try:
        one = world.listen(process, game, world.sessions.token(game))
        one.wait_seq(2)
    finally:
        world.server.restart()
    process.ready()
    world.play(game)
    one.wait_seq(3)
    assert one.seqs() == [1, 2, 3]


def test_a_killed_process_loses_no_entry_for_those_who_come_back(world: World) -> None:
    first, second, game = world.start(), world.start(), world.sessions.game()
    token = world.sessions.token(game)
    one = world.listen(first, game, token)
    world.play(game, 2)
    one.wait_seq(2)
    first.kill()
    world.play(game, 2)
    until(lambda: one.is_over)
    assert not one.is_whole
    again = world.listen(second, game, token, Last_Event_ID=str(one.seqs()[-1]))
    world.play(game)
    again.wait_seq(5)
    assert one.seqs() + again.seqs() == [1, 2, 3, 4, 5]


def test_entries_that_do_not_belong_on_the_stream_stop_nothing(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    for fields in (
        {"event": b"no JSON"},
        {"event": b"{}"},
        {"else": b"1"},
        {"event": b"[]", "only": b"jobs"},
    ):
        world.redis.xadd("sessions.events", fields)
    world.publish("sessions.game.advanced", game, {"version": "x"})
    world.play(game)
    one.wait_seq(1)
