"""Owns that one relay at a time publishes: a PostgreSQL session advisory lock held on one connection."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event as StopEvent

from sqlalchemy import Connection, Engine, text

# Long, for publishing a large outbox again is one statement; but an end, for a hung server must not hold it.
STATEMENT_TIMEOUT = "300s"
_TRY = text("SELECT pg_try_advisory_lock(hashtextextended(:name, 0))")


@contextmanager
def leadership(engine: Engine, name: str, stop: StopEvent, retry_s: float) -> Iterator[Connection | None]:
    """The connection that holds the lock `name`, in autocommit mode, waited for; None when `stop` came first.

    The lock is the session's: it ends with the connection, whoever closes it, and statements on a connection
    that lives prove that it is still held. It does not pass a transaction pooler.
    """
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.detach()  # closed for good at the end, so that no pool keeps the lock
        connection.execute(text(f"SET statement_timeout = '{STATEMENT_TIMEOUT}'"))
        while not stop.is_set():
            if connection.execute(_TRY, {"name": name}).scalar_one():
                yield connection
                return
            stop.wait(retry_s)
        yield None
