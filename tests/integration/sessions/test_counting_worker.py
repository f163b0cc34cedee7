"""Counting by the real worker: started by events, found by the beat, exact when all of it dies in between."""

import pytest

from infra.host.postgres import PostgresServer
from infra.postgres.roles import SESSIONS
from services.sessions import bootstrap
from services.sessions.entrypoints import tasks
from shared.bus.events import Event
from tests.integration.sessions.conftest import migrated
from tests.integration.sessions.ledgers import assert_exact, due, finish, job, ledger
from tests.integration.sessions.workers import Start, app_at, flush, send
from tests.integration.sessions.world import LONG_AGO, Table, World, eventually, now
from tests.support.api import action
from tests.support.embedded import Urls

COUNTING = "sessions-results"


@pytest.fixture(scope="module")
def urls(postgres_server: PostgresServer) -> Urls:
    """A database of this module's own: all of it is looked at."""
    return migrated(postgres_server, SESSIONS, bootstrap.MIGRATIONS)


def tell(world: World, table: Table, broker_url: str) -> None:
    """Have the starters hear the last event of the game, as the consumer has them."""
    last = world.events(table.id)[-1]
    event = Event(last.event_id, last.type, "/sessions", last.subject, last.occurred_at, last.data)
    with world.web.begin() as connection:
        tasks.starters(app_at(broker_url))[event.type](connection, event)


def test_every_event_after_which_figures_are_others_starts_the_count_of_its_game(
    world: World, start: Start, broker_url: str
) -> None:
    start("work")
    table = world.new_game()
    confirm = finish(table)

    def is_counted() -> bool:
        return bool(ledger(world, table)) and due(world) == 0

    def is_not_counted() -> bool:
        return not ledger(world, table) and due(world) == 0

    tell(world, table, broker_url)
    eventually(is_counted, "finished")
    table.send(action("undo", target=confirm["id"]))
    tell(world, table, broker_url)
    eventually(is_not_counted, "reopened")
    table.send(action("redo", target=confirm["id"]))
    tell(world, table, broker_url)
    eventually(is_counted, "finished again")
    games = world.games(lambda: now() - LONG_AGO)
    games.bin(table.account_id, table.id)
    tell(world, table, broker_url)
    eventually(is_not_counted, "binned")
    games.restore(table.account_id, table.id)
    tell(world, table, broker_url)
    eventually(is_counted, "restored")
    assert_exact(world)


def test_the_beat_finds_what_the_broker_lost_and_what_no_event_told_of(
    world: World, start: Start, broker_url: str
) -> None:
    """Redis is flushed after the tasks were sent and before any worker took them."""
    tables = [world.new_game() for _ in range(3)]
    for table in tables:
        finish(table)
        send(broker_url, tasks.COUNT, [str(table.id)])
    flush(world)
    start("work")
    start("beat")
    eventually(lambda: due(world) == 0)
    assert_exact(world)
    assert len(ledger(world, *tables)) == 3


def test_workers_that_are_killed_in_the_middle_have_counted_nothing_or_all(
    world: World, start: Start, broker_url: str
) -> None:
    """A lock holds up what would settle the notes, when ledger and cells are written already."""
    tables = [world.new_game() for _ in range(3)]
    for table in tables:
        finish(table)
    workers = [start("work"), start("work")]
    for _ in range(4):
        send(broker_url, tasks.COUNT, [str(table.id) for table in tables])
        send(broker_url, tasks.COUNT_DUE)
    with world.held("SELECT id FROM results_due FOR UPDATE"):
        eventually(lambda: world.waiting(COUNTING), "a worker is in the middle")
        for worker in workers:
            worker.kill()
    assert ledger(world, *tables) == []
    assert due(world) == 3
    start("beat")
    start("work")
    eventually(lambda: due(world) == 0)
    assert_exact(world)
    assert len(ledger(world, *tables)) == 3


def test_the_task_takes_ids_and_runs_any_number_of_times(world: World, broker_url: str) -> None:
    app = app_at(broker_url, counting=lambda: job(world))
    table = world.new_game()
    finish(table)
    assert [app.tasks[tasks.COUNT]([str(table.id)]) for _ in range(3)] == [1, 0, 0]
    assert app.tasks[tasks.COUNT]([]) == 0
    assert app.tasks[tasks.COUNT_DUE]() == 0
    assert_exact(world)
