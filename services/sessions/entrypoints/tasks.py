"""The Celery jobs of sessions."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from celery import Celery
from kombu.exceptions import OperationalError
from sqlalchemy import Connection, Engine

from services.sessions.application import purge
from shared.bus.consumer import TemporaryFault
from shared.bus.events import Event
from shared.jobs.celery_app import every, make_celery

QUEUE = "sweeps"
SWEEP = "sessions.sweep"


def starters(app: Celery) -> Mapping[str, Callable[[Connection, Event], None]]:
    """Which events start a job at once; the beat starts it later anyway should the broker lose it."""

    def orphaned(connection: Connection, event: Event) -> None:
        try:
            app.send_task(SWEEP, retry=False)
        except OperationalError as error:
            raise TemporaryFault("broker") from error

    return {"sessions.games.orphaned": orphaned}


def celery_app(
    broker_url: str, purge_engine: Callable[[], Engine], sweep_every: timedelta, bin_kept: timedelta
) -> Celery:
    """The Celery app of sessions; `purge_engine` is called in the worker's child process only."""
    app = make_celery("sessions", broker_url, QUEUE, {SWEEP: every(SWEEP, sweep_every)})

    @app.task(name=SWEEP, max_retries=2)
    def sweep() -> int:
        engine = purge_engine()
        try:
            return purge.sweep(engine, datetime.now(UTC), bin_kept)
        finally:
            engine.dispose()

    return app
