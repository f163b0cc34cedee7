"""One relay leads: the lock is the session's, and ends with it."""

import threading

from sqlalchemy import text

from shared.bus.leadership import leadership
from tests.integration.bus.world import World, running
from tests.support.waiting import until

NAME = "relay test"


def test_a_second_one_leads_only_when_the_first_ones_session_has_ended(world: World) -> None:
    led: list[str] = []

    def second(stop: threading.Event) -> None:
        with leadership(world.engine, NAME, stop, 0.02) as connection:
            if connection is not None:
                led.append("second")

    with leadership(world.engine, NAME, threading.Event(), 0.02) as connection:
        assert connection is not None
        first = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
        with running(second):
            until(lambda: sessions(world), what="the second one has tried")
            assert led == []
            world.rows("SELECT pg_terminate_backend(:pid)", pid=first)
            until(lambda: led == ["second"])
        connection.invalidate()


def test_no_pool_keeps_the_lock(world: World) -> None:
    for _ in range(3):
        with leadership(world.engine, NAME, threading.Event(), 0.02) as connection:
            assert connection is not None
        until(lambda: not sessions(world))


def test_who_is_stopped_while_waiting_leads_nothing(world: World) -> None:
    stop = threading.Event()
    with leadership(world.engine, NAME, threading.Event(), 0.02):
        stop.set()
        with leadership(world.engine, NAME, stop, 0.02) as connection:
            assert connection is None


def sessions(world: World) -> list[int]:
    """The sessions whose last statement asked for the lock."""
    asked = "query LIKE 'SELECT pg_try_advisory_lock%' AND datname = current_database()"
    return [row.pid for row in world.rows(f"SELECT pid FROM pg_stat_activity WHERE {asked}")]
