"""The Celery jobs with their real broker, worker and beat, and what becomes of them when those die."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
import redis

from infra.host.process import tree
from services.sessions.adapters.rules import Rules
from services.sessions.application.reconcile import Reconcile
from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING
from services.sessions.entrypoints import tasks
from shared.bus.events import Event
from shared.bus.requests import NoAnswer
from shared.storage.ids import new_id
from shared.web.problems import Problem
from tests.integration.sessions.forks import ALIKE, APART, fork, job
from tests.integration.sessions.world import LONG_AGO, Table, World, eventually, now
from tests.support.api import action, play
from tests.support.system import CHECKOUT

Start = Callable[[str], "Process"]
PURGING = "sessions-purge"
DAY = timedelta(days=1)


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
        "SESSIONS_DATABASE_URL": world.urls["sessions"],
        "SESSIONS_REDIS_URL": world.valkey.url("sessions"),
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


def send(broker_url: str, task: str, *arguments: object) -> None:
    """Put a task into the broker; nothing of what it takes is at hand here."""
    app = tasks.celery_app(
        broker_url,
        lambda: pytest.fail("not here"),
        lambda: pytest.fail("not here"),
        DAY,
        LONG_AGO,
    )
    with app.connection_for_write() as connection:
        app.send_task(task, args=arguments, connection=connection)


def ask_for_a_sweep(broker_url: str) -> None:
    """One task, as an event starts it."""
    send(broker_url, tasks.SWEEP)


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


def test_a_conflict_is_reconciled_by_the_task_that_its_event_starts(
    world: World, start: Start, broker_url: str
) -> None:
    start("work")
    forked = fork(world, ALIKE)
    app = tasks.celery_app(broker_url, lambda: pytest.fail("no"), lambda: pytest.fail("no"), DAY, LONG_AGO)
    told = {"game_id": str(forked.table.id), "conflict_id": str(forked.conflict_id)}
    opened = Event(new_id(), "sessions.conflict.opened", "/sessions", str(forked.table.id), now(), told)
    with world.web.begin() as connection:
        tasks.starters(app)[opened.type](connection, opened)
    eventually(lambda: forked.stored.status == MERGED)
    assert len(forked.resolutions) == 1


def test_the_beat_finds_a_conflict_that_the_broker_lost(world: World, start: Start, broker_url: str) -> None:
    """Redis is flushed after the task was sent and before any worker took it."""
    forked = fork(world, ALIKE, ago=timedelta(seconds=6))
    send(broker_url, tasks.RECONCILE, [str(forked.conflict_id)])
    with redis.Redis.from_url(world.valkey.url("administrator", 1)) as client:
        client.flushdb()
    start("work")
    start("beat")
    eventually(lambda: forked.stored.status == MERGED)
    assert len(forked.resolutions) == 1


def test_a_conflict_whose_workers_are_killed_in_the_middle_is_settled_once(
    world: World, start: Start, broker_url: str
) -> None:
    """A lock holds up what would note the status, when the entry is in the log already."""
    forked = fork(world, ALIKE, ago=timedelta(seconds=6))
    start("beat")
    workers = [start("work"), start("work")]
    for _ in workers:
        send(broker_url, tasks.RECONCILE, [str(forked.conflict_id)])
    with world.held("SELECT id FROM conflicts WHERE id = :id FOR UPDATE", id=forked.conflict_id):
        eventually(lambda: forked.resolutions, "the proof is in the log")
        eventually(lambda: world.waiting("sessions-reconcile"), "a worker is in the middle")
        for worker in workers:
            worker.kill()
    assert forked.stored.status == PENDING
    start("work")
    eventually(lambda: forked.stored.status == MERGED)
    assert len(forked.resolutions) == 1


def test_while_rules_is_away_a_conflict_waits_and_is_settled_later(world: World) -> None:
    class Silent:
        def ask(self, body: object, timeout_s: float) -> dict[str, Any]:
            raise NoAnswer("rules")

    forked = fork(world, ALIKE, ago=timedelta(seconds=6))
    away = Reconcile(world.web, world.statements, Rules(Silent()), world.play())
    with pytest.raises(Problem, match="service_unavailable"):
        away.run(forked.conflict_id)
    assert away.sweep() == 0, "and the sweep goes on to the next"
    assert forked.stored.status == PENDING
    assert forked.run() == MERGED


def test_the_task_takes_ids_and_says_what_became_of_each(world: World, broker_url: str) -> None:
    app = tasks.celery_app(
        broker_url, lambda: pytest.fail("not here"), lambda: nullcontext(job(world)), DAY, LONG_AGO
    )
    settled, asked = fork(world, ALIKE), fork(world, APART)
    ids = [str(settled.conflict_id), str(asked.conflict_id), str(new_id())]
    assert app.tasks[tasks.RECONCILE](ids) == [MERGED, NEEDS_DECISION, None]
    assert app.tasks[tasks.RECONCILE](ids) == [MERGED, NEEDS_DECISION, None]


def test_what_the_worker_takes_lies_in_its_queues(broker_url: str) -> None:
    app = tasks.celery_app(
        broker_url, lambda: pytest.fail("not here"), lambda: pytest.fail("not here"), DAY, LONG_AGO
    )
    assert set(app.amqp.queues) == {"sweeps", "reconcile"}
    for task, queue in ((tasks.SWEEP, "sweeps"), (tasks.RECONCILE, "reconcile")):
        routed = app.amqp.router.route({}, task).get("queue")
        assert queue == (routed.name if routed else app.conf.task_default_queue)


def _on_disk(world: World) -> bool:
    info = world.redis.info("persistence")
    return bool(info["aof_pending_bio_fsync"] == 0 and info["aof_buffer_length"] == 0)
