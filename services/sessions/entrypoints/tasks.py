"""The Celery jobs of sessions."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from uuid import UUID

from celery import Celery
from kombu.exceptions import OperationalError
from sqlalchemy import Connection, Engine

from services.sessions.application import purge
from services.sessions.application.reconcile import Reconcile
from shared.bus.consumer import TemporaryFault
from shared.bus.events import Event
from shared.jobs.celery_app import every, make_celery

SWEEPS, RECONCILING = "sweeps", "reconcile"
SWEEP = "sessions.sweep"
RECONCILE, RECONCILE_OVERDUE = "sessions.reconcile", "sessions.reconcile.overdue"
OVERDUE_EVERY = timedelta(seconds=5)
IDS_LIMIT = 100


def starters(app: Celery) -> Mapping[str, Callable[[Connection, Event], None]]:
    """Which events start a job at once; the beat starts it later anyway should the broker lose it."""

    def start(task: str, *ids: str) -> None:
        try:
            app.send_task(task, args=[ids] if ids else None, retry=False)
        except OperationalError as error:
            raise TemporaryFault("broker") from error

    def orphaned(connection: Connection, event: Event) -> None:
        start(SWEEP)

    def opened(connection: Connection, event: Event) -> None:
        start(RECONCILE, event.data["conflict_id"])

    return {"sessions.games.orphaned": orphaned, "sessions.conflict.opened": opened}


def celery_app(
    broker_url: str,
    purge_engine: Callable[[], Engine],
    reconciling: Callable[[], AbstractContextManager[Reconcile]],
    sweep_every: timedelta,
    bin_kept: timedelta,
) -> Celery:
    """The Celery app of sessions; its parts are made in the worker's child process, by each task anew."""
    schedule = {
        SWEEP: every(SWEEP, sweep_every),
        RECONCILE_OVERDUE: every(RECONCILE_OVERDUE, OVERDUE_EVERY),
    }
    app = make_celery("sessions", broker_url, [SWEEPS, RECONCILING], schedule)
    app.conf.task_routes = {name: {"queue": RECONCILING} for name in (RECONCILE, RECONCILE_OVERDUE)}

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

    return app
