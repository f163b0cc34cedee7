"""How the bus reaches Redis: a command is sent once, and a long read is let finish."""

import threading

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from shared.bus.clock import RedisClock
from shared.bus.connections import Connections, Line
from tests.integration.bus.world import World
from tests.support.waiting import until


def test_a_command_whose_answer_is_lost_is_not_sent_again(world: World) -> None:
    connections = Connections(world.url, 1.0)
    lost: list[Exception] = []

    def add() -> None:
        try:
            connections.commands.xadd("sessions.events", {"n": 1})
        except RedisConnectionError as error:
            lost.append(error)

    connections.commands.ping()
    mine = connections.commands.client_id()
    world.redis.execute_command("CLIENT", "PAUSE", 60_000, "WRITE")
    adding = threading.Thread(target=add)
    adding.start()
    until(lambda: any(it["id"] == str(mine) and "b" in it["flags"] for it in world.redis.client_list()))
    world.redis.client_kill_filter(_id=str(mine))
    world.redis.execute_command("CLIENT", "UNPAUSE")
    adding.join()
    assert len(lost) == 1
    assert world.redis.xlen("sessions.events") == 0
    connections.close()


def test_a_blocking_read_may_take_as_long_as_was_said(world: World) -> None:
    connections = Connections(world.url, 7.0)
    settings = connections.blocking.connection_pool.connection_kwargs
    assert settings["socket_timeout"] > 7.0
    assert connections.blocking.xread({"sessions.events": "$"}, block=10) == {}
    connections.close()


def test_a_line_answers_every_command_in_its_place(world: World) -> None:
    line = Line(world.url)
    assert line.exchange([]) == []
    first, second, third = line.exchange(
        [
            ("XADD", "sessions.events", "1-1", "n", 1),
            ("XADD", "sessions.events", "1-1", "n", 2),
            ("XLEN", "sessions.events"),
        ]
    )
    assert (first, third) == (b"1-1", 1)
    assert isinstance(second, ResponseError)
    line.close()
    assert line.exchange([("XLEN", "sessions.events")]) == [1]
    line.close()


def test_redis_time_is_known_without_asking_each_time(world: World) -> None:
    line, clock = Line(world.url), RedisClock()
    assert clock.is_stale
    clock.measure(line)
    assert not clock.is_stale
    line.close()
    seconds, micros = world.redis.time()
    assert abs(clock.now_ms() - (seconds * 1000 + micros // 1000)) < 500
