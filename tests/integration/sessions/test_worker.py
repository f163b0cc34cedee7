"""The Celery jobs with their real broker, worker and beat, and what becomes of them when those die."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest

from services.sessions.adapters.rules import Rules
from services.sessions.application.reconcile import Reconcile
from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING
from services.sessions.entrypoints import tasks
from shared.bus.events import Event
from shared.bus.requests import NoAnswer
from shared.storage.ids import new_id
from shared.web.problems import Problem
from tests.integration.sessions.forks import ALIKE, APART, fork, job
from tests.integration.sessions.workers import Start, app_at, flush, send
from tests.integration.sessions.world import LONG_AGO, Table, World, eventually, now
from tests.support.api import action, play

PURGING = "sessions-purge"


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
    app = app_at(broker_url)
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
    flush(world)
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
    app = app_at(broker_url, reconciling=lambda: nullcontext(job(world)))
    settled, asked = fork(world, ALIKE), fork(world, APART)
    ids = [str(settled.conflict_id), str(asked.conflict_id), str(new_id())]
    assert app.tasks[tasks.RECONCILE](ids) == [MERGED, NEEDS_DECISION, None]
    assert app.tasks[tasks.RECONCILE](ids) == [MERGED, NEEDS_DECISION, None]


def test_what_the_worker_takes_lies_in_its_queues(broker_url: str) -> None:
    app = app_at(broker_url)
    assert set(app.amqp.queues) == {"sweeps", "reconcile", "results"}
    queues = {tasks.SWEEP: "sweeps", tasks.RECONCILE: "reconcile", tasks.COUNT: "results"}
    queues |= {tasks.RECONCILE_OVERDUE: "reconcile", tasks.COUNT_DUE: "results"}
    for task, queue in queues.items():
        routed = app.amqp.router.route({}, task).get("queue")
        assert queue == (routed.name if routed else app.conf.task_default_queue)


def _on_disk(world: World) -> bool:
    info = world.redis.info("persistence")
    return bool(info["aof_pending_bio_fsync"] == 0 and info["aof_buffer_length"] == 0)
