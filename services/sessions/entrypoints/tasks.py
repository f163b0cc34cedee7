"""The Celery jobs of sessions."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from uuid import UUID

from celery import Celery
from kombu.exceptions import OperationalError
from sqlalchemy import Connection, Engine

from services.sessions.application import purge
from services.sessions.application.counting import Counting
from services.sessions.application.reconcile import Reconcile
from shared.bus.consumer import TemporaryFault
from shared.bus.events import Event
from shared.jobs.celery_app import every, make_celery

SWEEPS, RECONCILING, COUNTING = "sweeps", "reconcile", "results"
SWEEP = "sessions.sweep"
RECONCILE, RECONCILE_OVERDUE = "sessions.reconcile", "sessions.reconcile.overdue"
COUNT, COUNT_DUE = "sessions.results", "sessions.results.due"
OVERDUE_EVERY = timedelta(seconds=5)
COUNT_DUE_EVERY = timedelta(seconds=5)
# After these a game counts that did not, or no longer does, or otherwise.
CHANGES_FIGURES = ("finished", "reopened", "binned", "restored", "purged")
IDS_LIMIT = 100


def starters(app: Celery) -> Mapping[str, Callable[[Connection, Event], None]]:
    """Which events start a job at once; the beat starts it later anyway should the broker lose it."""

    def start(task: str, *ids: str, expires: timedelta | None = None) -> None:
        within_s = None if expires is None else expires.total_seconds()
        try:
            app.send_task(task, args=[ids] if ids else None, retry=False, expires=within_s)
        except OperationalError as error:
            raise TemporaryFault("broker") from error

    def orphaned(connection: Connection, event: Event) -> None:
        start(COUNT_DUE)
        start(SWEEP)

    def opened(connection: Connection, event: Event) -> None:
        start(RECONCILE, event.data["conflict_id"])

    def changed(connection: Connection, event: Event) -> None:
        # Later the sweep has had it, a hundred at a time: many single ones must not keep that waiting.
        start(COUNT, event.data["game_id"], expires=COUNT_DUE_EVERY)

    return {
        "sessions.games.orphaned": orphaned,
        "sessions.conflict.opened": opened,
        **{f"sessions.game.{kind}": changed for kind in CHANGES_FIGURES},
    }


def celery_app(
    broker_url: str,
    purge_engine: Callable[[], Engine],
    reconciling: Callable[[], AbstractContextManager[Reconcile]],
    counting: Callable[[], Counting],
    sweep_every: timedelta,
    bin_kept: timedelta,
) -> Celery:
    """The Celery app of sessions; what its tasks work with is made in the worker's child process."""
    schedule = {
        SWEEP: every(SWEEP, sweep_every),
        RECONCILE_OVERDUE: every(RECONCILE_OVERDUE, OVERDUE_EVERY),
        COUNT_DUE: every(COUNT_DUE, COUNT_DUE_EVERY),
    }
    app = make_celery("sessions", broker_url, [SWEEPS, RECONCILING, COUNTING], schedule)
    app.conf.task_routes = {
        RECONCILE: {"queue": RECONCILING},
        RECONCILE_OVERDUE: {"queue": RECONCILING},
        COUNT: {"queue": COUNTING},
        COUNT_DUE: {"queue": COUNTING},
    }

    @app.task(name=SWEEP, max_retries=2, shared=False)
    def sweep() -> int:
        engine = purge_engine()
        try:
            return purge.sweep(engine, datetime.now(UTC), bin_kept)
        finally:
            engine.dispose()

    @app.task(name=RECONCILE, max_retries=2, shared=False)
    def reconcile(conflict_ids: list[str]) -> list[str | None]:
        with reconciling() as job:
            return [job.run(UUID(conflict_id)) for conflict_id in conflict_ids[:IDS_LIMIT]]

    @app.task(name=RECONCILE_OVERDUE, max_retries=2, shared=False)
    def reconcile_overdue() -> int:
        with reconciling() as job:
            return job.sweep()

    @app.task(name=COUNT, max_retries=2, shared=False)
    def count(game_ids: list[str]) -> int:
        return counting().run([UUID(game_id) for game_id in game_ids[:IDS_LIMIT]]).changed

    @app.task(name=COUNT_DUE, max_retries=2, shared=False)
    def count_due() -> int:
        return counting().sweep()

    return app
