"""Owns what fault tests do inside an embedded system: look at its servers and parts, hold and break them."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString

import psycopg
import redis
import urllib3

from tests.support.system import EmbeddedSystem
from tests.support.waiting import until

Connection = psycopg.Connection[tuple[Any, ...]]


class Inside:
    """The inside of `system`; every look connects anew, for servers come and go here."""

    def __init__(self, system: EmbeddedSystem) -> None:
        self.system = system

    def connect(self, database: str = "sessions") -> Connection:
        """An administrator's connection in autocommit mode."""
        url = self.system.variable("ADMINISTRATOR_DATABASE_URL")
        return psycopg.connect(url, dbname=database, autocommit=True)

    def rows(
        self, statement: LiteralString, *values: object, database: str = "sessions"
    ) -> list[tuple[Any, ...]]:
        """What a query finds; nothing for what is no query."""
        with self.connect(database) as connection:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def held(self, statement: LiteralString, *values: object) -> Iterator[Connection]:
        """The rows that a SELECT … FOR UPDATE finds stay locked inside the block."""
        with self.connect() as connection, connection.transaction(force_rollback=True):
            assert connection.execute(statement, values).fetchall()
            yield connection

    def waiting(self, application: str) -> list[int]:
        """The server's processes for connections of that name that wait for a lock."""
        found = self.rows(
            "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = %s",
            application,
        )
        return [pid for (pid,) in found]

    def end_waiting(self, application: str) -> None:
        """End them: the server would carry a statement of a killed process through."""
        for pid in self.waiting(application):
            self.rows("SELECT pg_terminate_backend(%s, 10000)", pid)
        until(lambda: not self.waiting(application))

    @contextmanager
    def redis(self) -> Iterator[Any]:
        """The administrator's client."""
        url = self.system.variable("ADMINISTRATOR_REDIS_URL")
        with redis.Redis.from_url(url, protocol=2, decode_responses=True) as client:
            yield client

    def flush(self) -> None:
        """Everything in Redis is gone."""
        with self.redis() as client:
            client.flushall()

    def pending(self, stream: str, group: str) -> int:
        """How many entries the group was given and has not confirmed."""
        with self.redis() as client:
            try:
                return int(client.xpending(stream, group)["pending"])
            except redis.ResponseError:
                return 0

    def told(self, stream: str, subject: str) -> list[str]:
        """The types of the events about `subject` that stand on the stream, in order."""
        with self.redis() as client:
            events = [json.loads(fields["event"]) for _, fields in client.xrange(stream)]
        return [event["type"] for event in events if event["subject"] == subject]

    def measured(self, part: str, metric: str, **labels: str) -> float:
        """The sum of a metric of `part` over all series with these labels."""
        port = self.parts()[part]["metrics_port"]
        text = urllib3.request("GET", f"http://127.0.0.1:{port}/metrics", timeout=5).data.decode()
        wanted = [f'{name}="{value}"' for name, value in labels.items()]
        lines = [line for line in text.splitlines() if line.startswith(metric + "{")]
        return sum(float(line.split()[-1]) for line in lines if all(it in line for it in wanted))

    def dead_letters(self) -> list[str]:
        """Streams of dead letters that are not empty."""
        with self.redis() as client:
            return [key for key in client.scan_iter("dead.*") if client.xlen(key)]

    def kill(self, part: str) -> None:
        """SIGKILL `part` and wait until it works again."""
        restarts = self.system.restarts(part)
        self.system.kill(part)
        self.wait_restarted(part, restarts)

    def restart(self, part: str) -> None:
        """Have `part` end in order and wait until it works again."""
        restarts = self.system.restarts(part)
        os.kill(self.system.pid(part), signal.SIGINT)
        self.wait_restarted(part, restarts)

    def wait_restarted(self, part: str, restarts: int, timeout_s: float = 90.0) -> None:
        """Wait until `part` has been started more than `restarts` times and is ready."""

        def is_back() -> bool:
            known = self.parts()[part]
            return known["restarts"] > restarts and bool(known["is_ready"])

        until(is_back, timeout_s, f"{part} is back")

    def wait_whole(self, timeout_s: float = 90.0) -> None:
        """Wait until every part works and the gateway says so."""
        until(
            lambda: all(part["is_ready"] for part in self.parts().values()), timeout_s, "all parts are ready"
        )
        self.system.wait_ready(timeout_s)

    def parts(self) -> dict[str, dict[str, Any]]:
        """What the host has written down of its parts, by name."""
        found: dict[str, dict[str, Any]] = json.loads((self.system.data / "run" / "parts.json").read_text())
        return found
