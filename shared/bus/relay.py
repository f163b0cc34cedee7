"""Owns the relay of a service: outbox to stream, one leader at a time, and the upkeep of that stream."""

import time
from collections.abc import Sequence
from threading import Event as StopEvent

import structlog
from redis.exceptions import RedisError
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from shared.bus.backoff import Backoff
from shared.bus.connections import Client, open_client
from shared.bus.leadership import leadership
from shared.bus.metrics import LEADING
from shared.bus.publisher import Publisher
from shared.bus.route import Route
from shared.bus.upkeep import Upkeep
from shared.contracts.streams import groups_of

log = structlog.get_logger(__name__)

POLL_S = 0.05
UPKEEP_EVERY_S = 2.0
STANDBY_EVERY_S = 1.0
KEEP_S = 60.0
BATCH = 256
MAX_ENTRIES = 20_000
MAX_BYTES = 64 * 2**20


class Relay:
    """Publishes the outbox of `engine`'s database to `stream`; any number may run, one of them leads.

    `source` is the CloudEvents source of its events. When the database or Redis is away it waits and goes on
    by itself; the lock, and with it the lead, is lost and won anew with the database connection.
    """

    def __init__(
        self,
        engine: Engine,
        redis_url: str,
        stream: str,
        source: str,
        *,
        groups: Sequence[str] | None = None,
        poll_s: float = POLL_S,
        upkeep_every_s: float = UPKEEP_EVERY_S,
        standby_every_s: float = STANDBY_EVERY_S,
        keep_s: float = KEEP_S,
        batch: int = BATCH,
        max_entries: int = MAX_ENTRIES,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        """`groups` default to those declared for the stream; the limits are those of `Route`."""
        declared = groups_of(stream) if groups is None else groups
        if not declared:
            raise ValueError(f"no group is declared for {stream}")
        self._engine = engine
        self._url = redis_url
        self._stream = stream
        self._route = Route(stream, source, tuple(declared), batch, keep_s, max_entries, max_bytes)
        self._poll_s = poll_s
        self._upkeep_every_s = upkeep_every_s
        self._standby_every_s = standby_every_s

    def run(self, stop: StopEvent) -> None:
        """Publish, or stand by to, until `stop` is set."""
        backoff = Backoff()
        while not stop.is_set():
            try:
                with leadership(
                    self._engine, f"relay {self._stream}", stop, self._standby_every_s
                ) as connection:
                    if connection is not None:
                        self._lead(connection, stop, backoff)
            except (DBAPIError, PoolTimeoutError) as error:
                log.warning("relay_without_database", stream=self._stream, error=type(error).__name__)
                stop.wait(backoff.next_s())
            finally:
                LEADING.labels(self._stream).set(0)

    def _lead(self, connection: Connection, stop: StopEvent, backoff: Backoff) -> None:
        LEADING.labels(self._stream).set(1)
        log.info("relay_leads", stream=self._stream)
        with open_client(self._url) as redis:
            while not stop.is_set():
                try:
                    self._publish(connection, redis, stop, backoff)
                except (RedisError, OSError) as error:
                    log.warning("relay_without_redis", stream=self._stream, error=str(error))
                    redis.connection_pool.disconnect()
                    stop.wait(backoff.next_s())

    def _publish(self, connection: Connection, redis: Client, stop: StopEvent, backoff: Backoff) -> None:
        publisher = Publisher(connection, redis, self._route)
        upkeep = Upkeep(connection, redis, self._route)
        kept_s = float("-inf")
        while not stop.is_set():
            if time.monotonic() - kept_s >= self._upkeep_every_s:
                publisher.allow(upkeep.run(publisher.check()))
                kept_s = time.monotonic()
            if not publisher.publish():
                stop.wait(self._poll_s)
            backoff.reset()
