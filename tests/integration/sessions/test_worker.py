"""The sweep as a Celery job with its real broker, worker and beat, and what becomes of it when they die."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
import redis

from infra.host.process import tree
from services.sessions.entrypoints import tasks
from tests.integration.sessions.world import LONG_AGO, Table, World, eventually, now
from tests.support.api import action, play
from tests.support.system import CHECKOUT

Start = Callable[[str], "Process"]
PURGING = "sessions-purge"


class Process:
    """`python -m services.sessions VERB`, to be killed."""

    def __init__(self, verb: str, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "services.sessions", verb],
            cwd=CHECKOUT,
            env=os.environ | environment,
            start_new_session=True,
        )

    def kill(self) -> None:
        """SIGKILL to it and all that it started."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(20)

    def kill_children(self) -> None:
        """SIGKILL to those that do the work; the first process lives."""
        for pid in tree(self._process.pid)[1:]:
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def broker_url(world: World) -> str:
    """An empty broker."""
    with redis.Redis.from_url(world.valkey.url("administrator", 1)) as client:
        client.flushdb()
    return world.valkey.url("sessions", 1)


@pytest.fixture
def start(world: World, broker_url: str) -> Iterator[Start]:
    """`start("work")`: a process of sessions on the world's servers."""
    started: list[Process] = []
    environment = {
        "SESSIONS_BROKER_URL": broker_url,
        "SESSIONS_PURGE_DATABASE_URL": world.urls["sessions_purge"],
        "SESSIONS_SWEEP_EVERY_S": "1",
        "DATA_DIR": os.devnull,
    }

    def start(verb: str) -> Process:
        started.append(Process(verb, environment))
        return started[-1]

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def due(world: World) -> Table:
    """A game that the next sweep purges."""
    table = world.new_game()
    table.send(play("up1", 7), action("undo"))
    world.games(lambda: now() - LONG_AGO).bin(table.account_id, table.id)
    return table


def is_gone(table: Table) -> bool:
    counts = [table.world.count(name, table.id) for name in ("games", "seats", "entries")]
    return counts == [0, 0, 0] and len(table.world.events(table.id)) == 1


def is_whole(table: Table) -> bool:
    return [table.world.count(name, table.id) for name in ("games", "seats", "entries")] == [1, 2, 2]


def ask_for_a_sweep(broker_url: str) -> None:
    """One task, as an event starts it."""
    app = tasks.celery_app(broker_url, lambda: pytest.fail("not here"), timedelta(days=1), LONG_AGO)
    with app.connection_for_write() as connection:
        app.send_task(tasks.SWEEP, connection=connection)


def purging(world: World) -> list[object]:
    """What is connected to delete."""
    with world.administrator.connect() as connection:
        return list(
            connection.exec_driver_sql(
                "SELECT pid FROM pg_stat_activity WHERE application_name = %s", (PURGING,)
            ).scalars()
        )


def test_the_beat_has_the_worker_purge_what_is_due(due: Table, start: Start) -> None:
    start("work")
    start("beat")
    eventually(lambda: is_gone(due))


def test_a_task_whose_worker_is_killed_in_the_middle_is_done_by_the_next_worker(
    world: World, due: Table, start: Start
) -> None:
    """A lock on its entries holds the sweep up when it has deleted half of the game."""
    start("beat")
    worker = start("work")
    with world.held("SELECT seq FROM entries WHERE game_id = :id FOR UPDATE", id=due.id):
        eventually(lambda: world.waiting(PURGING), "the sweep is in the middle")
        worker.kill()
    eventually(lambda: not purging(world), "the server has noticed")
    assert is_whole(due), "half a purge is none"
    start("work")
    eventually(lambda: is_gone(due))


def test_a_task_whose_child_process_is_killed_in_the_middle_is_done_by_the_same_worker(
    world: World, due: Table, start: Start, broker_url: str
) -> None:
    worker = start("work")
    ask_for_a_sweep(broker_url)
    with world.held("SELECT seq FROM entries WHERE game_id = :id FOR UPDATE", id=due.id):
        eventually(lambda: world.waiting(PURGING), "the sweep is in the middle")
        worker.kill_children()
    eventually(lambda: is_gone(due))


def test_a_task_that_waits_in_the_broker_outlives_the_broker(
    world: World, due: Table, start: Start, broker_url: str
) -> None:
    ask_for_a_sweep(broker_url)
    eventually(lambda: _on_disk(world), "the append-only file is written")
    world.valkey.kill()
    world.valkey.start()
    start("work")
    eventually(lambda: is_gone(due))


def _on_disk(world: World) -> bool:
    info = world.redis.info("persistence")
    return bool(info["aof_pending_bio_fsync"] == 0 and info["aof_buffer_length"] == 0)
