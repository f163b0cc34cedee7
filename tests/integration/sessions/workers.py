"""The processes that work on the jobs, and their broker."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import redis
from celery import Celery

from infra.host.process import tree
from services.sessions.entrypoints import tasks
from tests.integration.sessions.world import LONG_AGO, World
from tests.support.system import CHECKOUT

Start = Callable[[str], "Process"]
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


def app_at(broker_url: str, **parts: Callable[[], Any]) -> Celery:
    """The Celery app of sessions where its tasks have these parts and no others."""

    def missing() -> Any:
        pytest.fail("nothing of that is at hand here")

    purge, reconciling, counting = (
        parts.get(name, missing) for name in ("purge_engine", "reconciling", "counting")
    )
    return tasks.celery_app(broker_url, purge, reconciling, counting, DAY, LONG_AGO)


def send(broker_url: str, task: str, *arguments: object) -> None:
    """Put a task into the broker."""
    app = app_at(broker_url)
    with app.connection_for_write() as connection:
        app.send_task(task, args=arguments, connection=connection)


def flush(world: World) -> None:
    """Empty the broker, as a failover may."""
    with redis.Redis.from_url(world.valkey.url("administrator", 1)) as client:
        client.flushdb()
