"""Owns the thread that puts requests on their stream: all that wait at one moment share one round trip."""

import contextlib
import queue
import threading
import time

import structlog
from redis.exceptions import RedisError, ResponseError

from shared.bus.asks import Ask, Asks
from shared.bus.backoff import Backoff
from shared.bus.clock import RedisClock
from shared.bus.connections import Command, Line
from shared.bus.replies import ReplyReader

log = structlog.get_logger(__name__)

BATCH = 256
TIDY_EVERY_S = 1.0
LONGEST_TIMEOUT_S = 60.0
FAREWELL_MS = 5_000


class Sender:
    """Drains the queue of new asks into `stream`; what an error leaves unclear is sent again while wanted.

    So a request may be handled twice, and only what bears that may be asked.
    """

    def __init__(self, url: str, stream: str, asks: Asks, replies: ReplyReader) -> None:
        self._line = Line(url)
        self._stream = stream
        self._asks = asks
        self._replies = replies
        self._clock = RedisClock()
        self._queue: queue.SimpleQueue[Ask | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._tidied_s = 0.0
        self._thread = threading.Thread(target=self._run, name=f"ask {stream}", daemon=True)

    def start(self) -> None:
        """Begin sending."""
        self._thread.start()

    def send(self, ask: Ask) -> None:
        """Have `ask` sent as soon as the line is free."""
        self._queue.put(ask)

    def stop(self, timeout_s: float) -> None:
        """Send nothing any more and hang up."""
        self._stopped.set()
        self._queue.put(None)
        self._thread.join(timeout_s)

    def _run(self) -> None:
        backoff = Backoff()
        batch: list[Ask] = []
        while not self._stopped.is_set():
            batch = [ask for ask in batch if self._asks.is_waiting(ask)] or self._next_batch()
            try:
                self._send(batch)
            except (RedisError, OSError) as error:
                log.warning("requests_not_sent", stream=self._stream, waiting=len(batch), error=str(error))
                self._line.close()
                self._stopped.wait(backoff.next_s())
            else:
                batch = []
                backoff.reset()
        self._wake_reader()
        self._line.close()

    def _wake_reader(self) -> None:
        """End the blocking read on the reply stream with a last entry, and let the stream go soon."""
        stream = self._replies.stream
        with contextlib.suppress(RedisError, OSError):
            self._line.exchange([("XADD", stream, "*", "cid", ""), ("PEXPIRE", stream, FAREWELL_MS)])

    def _next_batch(self) -> list[Ask]:
        """Wait for an ask and take all that have come with it."""
        batch = [self._queue.get()]
        while len(batch) < BATCH:
            try:
                batch.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return [ask for ask in batch if ask is not None]

    def _send(self, batch: list[Ask]) -> None:
        if self._clock.is_stale:
            self._clock.measure(self._line)
        commands: list[Command] = [self._add(ask) for ask in batch]
        replies = self._line.exchange(commands + self._tidying())
        for ask, reply in zip(batch, replies, strict=False):
            if isinstance(reply, ResponseError):
                self._asks.settle(ask.cid, None, str(reply))

    def _add(self, ask: Ask) -> Command:
        deadline = self._clock.at_ms(ask.deadline_s)
        reply_to = self._replies.stream
        return (
            *("XADD", self._stream, "*", "cid", ask.cid, "reply_to", reply_to),
            *("deadline", deadline, "body", ask.body),
        )

    def _tidying(self) -> list[Command]:
        """Once a second: drop replies that were read, and requests that nobody was there to answer."""
        now_s = time.monotonic()
        if now_s - self._tidied_s < TIDY_EVERY_S:
            return []
        self._tidied_s = now_s
        forgotten = self._clock.at_ms(now_s - 2 * LONGEST_TIMEOUT_S)
        return [
            ("XTRIM", self._replies.stream, "MINID", str(self._replies.position.next)),
            ("XTRIM", self._stream, "MINID", "~", forgotten),
        ]
