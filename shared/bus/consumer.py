"""Owns handling the events of a stream for one group, each with effect once."""

import time
from collections.abc import Callable, Mapping
from threading import Event as StopEvent

import psycopg.errors
import structlog
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from sqlalchemy import Connection, Engine, MetaData
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from shared.bus.backoff import Backoff
from shared.bus.connections import Connections
from shared.bus.dead_letters import EVENT, ONLY
from shared.bus.deliveries import Deliveries, Delivery, GroupLost
from shared.bus.events import Event, MalformedEvent, Upcasts, upcast
from shared.bus.metrics import CONSUMED
from shared.bus.outbox import inbox_table

log = structlog.get_logger(__name__)

BATCH = 64
BLOCK_S = 1.0
MAX_DELIVERIES = 5
CLAIM_EVERY_S = 30.0
CLAIM_IDLE_S = 60.0

Handler = Callable[[Connection, Event], None]


class TemporaryFault(Exception):
    """What a handler raises when something it needs is away: the event waits and is not to blame."""


class Consumer:
    """Hands each event of `stream` to the handler of its type, for the group `group`.

    Contract: the handler's effect and a record of the event are one transaction of `engine`'s database, and
    only then is the event confirmed; one that comes again is known by its record and confirmed at once.
    Events come in the order of the stream while the group has one consumer. A handler that raises is tried
    again, `MAX_DELIVERIES` times in all, and holds up what follows meanwhile; then the event goes to the dead
    letters, as one does at once that cannot be read. While the database is away the event waits and nothing
    is counted. Types without a handler are confirmed and passed over.
    """

    def __init__(
        self,
        engine: Engine,
        redis_url: str,
        stream: str,
        group: str,
        handlers: Mapping[str, Handler],
        *,
        name: str | None = None,
        upcasts: Upcasts | None = None,
        max_deliveries: int = MAX_DELIVERIES,
        claim_idle_s: float = CLAIM_IDLE_S,
        claim_every_s: float = CLAIM_EVERY_S,
    ) -> None:
        """`name` must be the same after a restart, and another one for each consumer of the group."""
        self._engine = engine
        self._stream = stream
        self._group = group
        self._handlers = handlers
        self._upcasts = upcasts or {}
        self._max_deliveries = max_deliveries
        self._claim_every_s = claim_every_s
        self._claimed_s = time.monotonic()
        self._inbox = inbox_table(MetaData())
        self._connections = Connections(redis_url, BLOCK_S)
        self._deliveries = Deliveries(self._connections, stream, group, name or f"{group}-0", claim_idle_s)
        self._away = Backoff()
        self._failing = Backoff(first_s=0.1, cap_s=5.0)

    def run(self, stop: StopEvent) -> None:
        """Consume until `stop` is set; the event at hand is finished first."""
        while not stop.is_set():
            try:
                self._deliveries.ensure_group()
                self._consume(stop)
            except GroupLost:
                log.warning("group_lost", stream=self._stream, group=self._group)
            except (RedisError, OSError) as error:
                log.warning(
                    "consumer_without_redis", stream=self._stream, group=self._group, error=str(error)
                )
                self._connections.close()
                stop.wait(self._away.next_s())
        self._connections.close()

    def _consume(self, stop: StopEvent) -> None:
        """What this consumer owes comes first, then what others left, then what is new."""
        owes = True
        while not stop.is_set():
            if owes:
                owes = self._catch_up(stop)
            elif time.monotonic() - self._claimed_s > self._claim_every_s:
                self._claimed_s = time.monotonic()
                owes = self._deliveries.claim_abandoned() > 0
            else:
                owes = not self._handle_all(self._deliveries.new(BATCH, BLOCK_S), stop)
            self._away.reset()

    def _catch_up(self, stop: StopEvent) -> bool:
        """Handle the oldest unconfirmed entry; whether there was one."""
        delivery = self._deliveries.first_pending()
        if delivery is None:
            return False
        if delivery.times > self._max_deliveries:
            self._bury(delivery, f"delivered {delivery.times - 1} times without an end")
        else:
            self._handle_all([delivery], stop)
        return True

    def _handle_all(self, deliveries: list[Delivery], stop: StopEvent) -> bool:
        """Handle in order and confirm; False when one failed, which then is owed with all behind it."""
        done: list[str] = []
        try:
            for delivery in deliveries:
                if stop.is_set() or not self._handle(delivery, stop):
                    return False
                done.append(delivery.entry_id)
            return True
        finally:
            self._deliveries.confirm(done)

    def _handle(self, delivery: Delivery, stop: StopEvent) -> bool:
        """Handle one entry; whether it may be confirmed."""
        try:
            outcome = self._outcome(delivery)
        except MalformedEvent as error:
            self._bury(delivery, f"malformed: {error}")
            return True
        except Exception as error:  # noqa: BLE001 (a handler may raise anything; no event may stop the others)
            self._after_failure(delivery, error, stop)
            return False
        self._failing.reset()
        self._count(outcome)
        return True

    def _outcome(self, delivery: Delivery) -> str:
        if not delivery.fields:
            log.error("event_gone", stream=self._stream, group=self._group, entry=delivery.entry_id)
            return "gone"
        if delivery.fields.get(ONLY, self._group.encode()) != self._group.encode():
            return "ignored"
        event = upcast(Event.from_json(delivery.fields.get(EVENT, b"")), self._upcasts)
        handler = self._handlers.get(event.type)
        if handler is None:
            return "ignored"
        with self._engine.begin() as connection:
            if not self._record(connection, event):
                return "duplicate"
            handler(connection, event)
        return "handled"

    def _record(self, connection: Connection, event: Event) -> bool:
        """Whether the event is new to this group; a second consumer at the same event waits here."""
        statement = insert(self._inbox).values(consumer=self._group, event_id=event.id)
        recorded = statement.on_conflict_do_nothing().returning(self._inbox.c.event_id)
        return connection.execute(recorded).one_or_none() is not None

    def _after_failure(self, delivery: Delivery, error: Exception, stop: StopEvent) -> None:
        told = {"stream": self._stream, "group": self._group, "entry": delivery.entry_id}
        if _is_temporary(error):
            log.warning("event_waits", error=type(error).__name__, **told)
            self._count("later")
            self._deliveries.uncount(delivery)
        elif delivery.times >= self._max_deliveries:
            log.error("event_buried", exc_info=error, **told)
            self._bury(delivery, f"{type(error).__name__}: {error}")
            return
        else:
            log.warning("event_failed", exc_info=error, times=delivery.times, **told)
            self._count("failed")
        stop.wait(self._failing.next_s())

    def _bury(self, delivery: Delivery, error: str) -> None:
        self._deliveries.bury(delivery, error)
        self._failing.reset()
        self._count("buried")

    def _count(self, outcome: str) -> None:
        CONSUMED.labels(self._stream, self._group, outcome).inc()


def _is_temporary(error: Exception) -> bool:
    """Whether something was away, so that the event is not to blame. A query cut off for its length is."""
    if isinstance(error, OperationalError | InterfaceError):
        return not isinstance(error.orig, psycopg.errors.QueryCanceled)
    return isinstance(error, TemporaryFault | PoolTimeoutError | RedisConnectionError | RedisTimeoutError)
