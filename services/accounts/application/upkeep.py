"""Forgetting what is no longer needed: events that everybody has had, counted attempts that are over."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from services.accounts.adapters import attempts
from shared.bus.outbox import FORGET_BATCH, forget_confirmed

EVERY_S = 300.0
KEEP_EVENTS = timedelta(days=30)
log = structlog.get_logger(__name__)


def run(
    engine: Engine,
    stream: str,
    clock: Callable[[], datetime],
    stop: threading.Event,
    every_s: float = EVERY_S,
) -> None:
    """Forget every `every_s` seconds until `stop`; a database that is away is tried again next time."""
    while not stop.is_set():
        try:
            with engine.begin() as connection:
                attempts.forget(connection, clock())
            _forget_events(engine, stream, clock() - KEEP_EVENTS, stop)
        except (DBAPIError, PoolTimeoutError) as error:
            log.warning("upkeep_without_database", error=type(error).__name__)
        stop.wait(every_s)


def _forget_events(engine: Engine, stream: str, before: datetime, stop: threading.Event) -> None:
    """Batch after batch, each in a transaction of its own, so that none lasts long."""
    while not stop.is_set():
        with engine.begin() as connection:
            if forget_confirmed(connection, stream, before) < FORGET_BATCH:
                return
