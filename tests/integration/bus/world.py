"""A service's database and its Redis, as the tests of the bus see them."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import redis as redis_py
from sqlalchemy import Column, Engine, Identity, Integer, MetaData, Table, Text, Uuid, insert, select, text

from shared.bus.events import Event
from shared.bus.outbox import Fact, append, inbox_table, outbox_table, relay_table
from shared.bus.relay import Relay
from tests.support.waiting import until

STREAM = "sessions.events"
GROUP = "jobs"
GATE = 98
WAITING = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

metadata = MetaData()
outbox = outbox_table(metadata)
inbox = inbox_table(metadata)
relay = relay_table(metadata)
# What handlers do. Nothing here is unique: an effect that happens twice is seen twice.
effects = Table(
    "effects",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("event_id", Uuid, nullable=False),
    Column("subject", Text, nullable=False),
    Column("n", Integer, nullable=False),
)


def take_effect(connection: Any, event: Event) -> None:
    """The handler of the tests: one row per effect, in order; waits while a test holds the gate."""
    connection.execute(text(f"SELECT pg_advisory_xact_lock_shared({GATE})"))
    values = {"event_id": event.id, "subject": event.subject, "n": event.data["n"]}
    connection.execute(insert(effects).values(values))


@dataclass
class World:
    """`redis` is the administrator's client; `url` is what a service is given."""

    engine: Engine
    database_url: str
    redis: Any
    url: str

    def say(self, *numbers: int, subject: str = "game", kind: str = "test.happened") -> list[Fact]:
        """Write one event per number into the outbox, in one transaction."""
        facts = [Fact(kind, subject, {"n": n}) for n in numbers]
        with self.engine.begin() as connection:
            append(connection, outbox, facts)
        return facts

    def relay(self, **settings: Any) -> Relay:
        """A relay for the stream that wastes no time."""
        hurry = {"poll_s": 0.01, "upkeep_every_s": 0.05, "standby_every_s": 0.05}
        return Relay(self.engine, self.url, STREAM, "/sessions", **(hurry | settings))

    def rows(self, statement: str, **values: Any) -> list[Any]:
        """What a query finds."""
        with self.engine.connect() as connection:
            return list(connection.execute(text(statement), values))

    def unpublished(self) -> int:
        return int(self.rows("SELECT count(*) FROM outbox WHERE published_at IS NULL")[0][0])

    def effects(self, subject: str = "game") -> list[int]:
        """What has taken effect, in order."""
        with self.engine.connect() as connection:
            found = select(effects.c.n).where(effects.c.subject == subject).order_by(effects.c.id)
            return list(connection.execute(found).scalars())

    def entries(self) -> list[dict[bytes, bytes]]:
        """What stands on the stream."""
        return [fields for _, fields in self.redis.xrange(STREAM)]

    def events(self) -> list[Event]:
        return [Event.from_json(fields[b"event"]) for fields in self.entries()]

    def numbers(self) -> list[int]:
        return [event.data["n"] for event in self.events()]

    def ids(self) -> list[UUID]:
        return [event.id for event in self.events()]

    def pending(self, group: str = GROUP, stream: str = STREAM) -> int:
        """How many entries the group has been given and not confirmed."""
        try:
            return int(self.redis.xpending(stream, group)["pending"])
        except redis_py.ResponseError:
            return 0

    def dead(self, group: str = GROUP) -> int:
        return int(self.redis.xlen(f"dead.{STREAM}.{group}"))

    def wait_for_waiting(self) -> None:
        """Wait until some statement waits for a lock."""
        until(lambda: self.rows(f"SELECT 1 {WAITING}"), what="a statement waits for a lock")

    def end_waiting(self) -> None:
        """End statements that wait for a lock: the server would finish those of a killed process."""
        self.rows(f"SELECT pg_terminate_backend(pid) {WAITING}")
        until(lambda: not self.rows(f"SELECT 1 {WAITING}"))

    @contextmanager
    def closed_gate(self) -> Iterator[Callable[[], None]]:
        """Handlers wait from here on; yields what opens the gate."""
        with self.engine.connect() as connection:
            connection.execute(text(f"SELECT pg_advisory_lock({GATE})"))

            def open_gate() -> None:
                connection.execute(text(f"SELECT pg_advisory_unlock({GATE})"))
                connection.commit()

            try:
                yield open_gate
            finally:
                connection.invalidate()


@contextmanager
def running(*parts: Callable[[threading.Event], None]) -> Iterator[threading.Event]:
    """`parts` in threads of this process; ended, and looked after for errors, at the end."""
    stop = threading.Event()
    errors: list[BaseException] = []

    def run(part: Callable[[threading.Event], None]) -> None:
        try:
            part(stop)
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=run, args=(part,), daemon=True) for part in parts]
    for thread in threads:
        thread.start()
    try:
        yield stop
    finally:
        stop.set()
        for thread in threads:
            thread.join(20)
    assert not any(thread.is_alive() for thread in threads), "a part did not end"
    assert not errors


class Program:
    """One of `programs.py` as a process of its own, to be killed."""

    def __init__(self, name: str, environment: Mapping[str, str], *arguments: str) -> None:
        command: Sequence[str] = [sys.executable, "-m", "tests.integration.bus.programs", name, *arguments]
        self.process = subprocess.Popen(command, env={**os.environ, **environment})

    def kill(self) -> None:
        """SIGKILL."""
        self.process.kill()
        self.process.wait(10)

    def terminate(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)


def all_published(world: World) -> None:
    """Wait until the outbox is on the stream."""
    until(lambda: world.unpublished() == 0, what="the outbox is published")
