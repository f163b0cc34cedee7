"""A stream has exactly the log after its position, wherever it begins and whatever happens meanwhile."""

from http.client import HTTPConnection

import pytest

from tests.integration.gateway.live.world import World
from tests.support.waiting import until


def test_a_stream_begins_with_the_log_and_goes_on_with_what_comes(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    world.play(game, 3)
    one = world.listen(process, game, world.sessions.token(game))
    assert one.answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert "no-store" in one.answer.headers["Cache-Control"]
    assert one.answer.headers["X-Accel-Buffering"] == "no"
    one.wait_seq(3)
    reads = world.sessions.reads
    for _ in range(3):
        world.play(game)
    one.wait_seq(6)
    assert one.seqs() == [1, 2, 3, 4, 5, 6]
    assert world.sessions.reads == reads, "events carry what is needed"
    assert one.said[0].retry == "1000"
    assert [{**it["entry"], "table": it["table"], "result": it["result"]} for it in one.entries()] == (
        world.sessions.logs[game]
    )


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"query": "?after=2"}, [3, 4]),
        ({"Last_Event_ID": "3"}, [4]),
        ({"Last_Event_ID": "3", "query": "?after=1"}, [4]),
        ({"Last_Event_ID": "0"}, [1, 2, 3, 4]),
        ({"Last_Event_ID": "4"}, []),
    ],
)
def test_it_begins_after_the_entry_that_is_named(
    world: World, asked: dict[str, str], expected: list[int]
) -> None:
    process, game = world.start(), world.sessions.game()
    world.play(game, 4)
    one = world.listen(process, game, world.sessions.token(game), **asked)
    world.play(game)
    one.wait_seq(5)
    assert one.seqs() == [*expected, 5]


def test_a_long_log_comes_whole(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    world.sessions.add(game, 730)
    one = world.listen(process, game, world.sessions.token(game))
    one.wait_seq(730)
    assert one.seqs() == list(range(1, 731))


def test_whoever_comes_back_gets_what_was_missed_and_nothing_twice(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    token = world.sessions.token(game)
    world.play(game, 2)
    first = world.listen(process, game, token)
    first.wait_seq(2)
    first.close()
    world.play(game, 3)
    second = world.listen(process, game, token, Last_Event_ID=str(first.seqs()[-1]))
    second.wait_seq(5)
    assert first.seqs() + second.seqs() == [1, 2, 3, 4, 5]


def test_a_gap_in_the_events_is_filled_from_the_log(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    world.sessions.add(game, 4)
    world.play(game)
    one.wait_seq(5)
    assert one.seqs() == [1, 2, 3, 4, 5]


def test_doubled_and_late_events_change_nothing(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    items = world.sessions.add(game, 6)
    for chosen in ([items[2]], [items[0]], items[0:2], [items[5]], items[2:5], [items[5]], [items[0]]):
        world.publish_entries(game, chosen)
    world.play(game)
    one.wait_seq(7)
    assert one.seqs() == [1, 2, 3, 4, 5, 6, 7]


def test_a_batch_is_taken_from_its_event_where_that_says_enough(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    reads = world.sessions.reads
    world.play(game, 5)
    one.wait_seq(5)
    assert world.sessions.reads == reads
    world.publish_entries(game, world.sessions.add(game, 20), told=False)
    one.wait_seq(25)
    assert world.sessions.reads > reads
    assert one.seqs() == list(range(1, 26))
    assert [it["table"]["turn"] for it in one.entries()] == list(range(1, 26))


def test_games_do_not_hear_of_each_other(world: World) -> None:
    process, game, other = world.start(), world.sessions.game(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    two = world.listen(process, other, world.sessions.token(other))
    world.play(game, 3)
    world.play(other)
    one.wait_seq(3)
    two.wait_seq(1)
    assert two.seqs() == [1]


def test_sessions_being_away_for_a_while_delays_and_loses_nothing(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    world.sessions.standin.stop()
    world.sessions.add(game, 2)
    world.play(game)
    until(lambda: world.sessions.standin.is_deserted)
    world.sessions.standin.start()
    one.wait_seq(3)
    assert one.seqs() == [1, 2, 3]


def test_an_event_ahead_of_the_log_is_waited_for(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    one = world.listen(process, game, world.sessions.token(game))
    items = world.sessions.add(game, 2)
    world.sessions.logs[game] = []
    reads = world.sessions.reads
    world.publish_entries(game, items[1:])
    until(lambda: world.sessions.reads > reads + 1, what="the log is read again")
    world.sessions.logs[game] = items
    one.wait_seq(2)
    assert one.seqs() == [1, 2]
    assert world.sessions.reads < reads + 12, "it is not asked without a pause"


def test_the_bearers_own_headers_reach_sessions(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    trace = f"00-{'1' * 32}-{'2' * 16}-01"
    token = world.sessions.token(game)
    headers = {
        "X_Device": "phone",
        "X_Request_Id": "request-98",
        "Accept_Language": "es",
        "traceparent": trace,
    }
    one = world.listen(process, game, token, **headers)
    assert one.answer.headers["X-Request-Id"] == "request-98"
    for request in (*world.sessions.asked("access"), *world.sessions.asked("log")):
        assert request.headers["authorization"] == f"Bearer {token}"
        assert request.headers["x-device"] == "phone"
        assert request.headers["x-request-id"] == "request-98"
        assert request.headers["accept-language"] == "es"
        assert request.headers["traceparent"] == trace


def test_head_asks_for_the_right_and_opens_no_stream(world: World) -> None:
    process, game = world.start(), world.sessions.game()
    connection = HTTPConnection("127.0.0.1", process.port, timeout=10)
    token = world.sessions.token(game)
    connection.request("HEAD", f"/v1/games/{game}/live", headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    connection.request("HEAD", f"/v1/games/{game}/live", headers={"Authorization": "Bearer forged"})
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (401, b"")
    assert process.measured("ninety8_live_listeners") == 0
