"""Owns asking another service over its request stream and waiting for the reply."""

import os
import threading
import time
import weakref
from typing import Any
from uuid import uuid4

import orjson

from shared.bus.asks import Asks, NoAnswer
from shared.bus.metrics import REQUEST_SECONDS
from shared.bus.replies import ReplyReader
from shared.bus.sender import LONGEST_TIMEOUT_S, Sender

__all__ = ["NoAnswer", "Requests"]

MAX_WAITING = 1024
STOP_TIMEOUT_S = 3.0


class _Channel:
    """The threads and the reply stream of one process."""

    def __init__(self, url: str, stream: str, service: str, max_waiting: int) -> None:
        self.asks = Asks(max_waiting)
        self.replies = ReplyReader(url, f"replies.{service}.{uuid4().hex}", self.asks)
        self.sender = Sender(url, stream, self.asks, self.replies)
        self.replies.start()
        self.sender.start()

    def close(self) -> None:
        self.asks.fail_all("the asking process is stopping")
        self.replies.stop()
        self.sender.stop(STOP_TIMEOUT_S)
        self.replies.join(STOP_TIMEOUT_S)


class Requests:
    """Asks the service that answers `stream`; one per process, used by all its threads.

    Nothing connects and no thread starts before the first `ask`, in a forked child anew. A request may be
    handled twice when Redis fails in between, so ask only what bears that. When Redis is away requests wait
    for it until their deadline.
    """

    def __init__(self, redis_url: str, stream: str, service: str, *, max_waiting: int = MAX_WAITING) -> None:
        """`service` is the one that asks; replies come over `replies.<service>.<process>`."""
        self._url = redis_url
        self._stream = stream
        self._service = service
        self._max_waiting = max_waiting
        self._channel: _Channel | None = None
        self._opening = threading.Lock()
        self._closed = False
        self._answered = REQUEST_SECONDS.labels(stream, "answered")
        self._unanswered = REQUEST_SECONDS.labels(stream, "unanswered")
        reset = weakref.WeakMethod(self._forget_parent)
        os.register_at_fork(after_in_child=lambda: (found := reset()) and found())

    def ask(self, body: dict[str, Any], timeout_s: float) -> dict[str, Any]:
        """The answer to `body`, waited for at most `timeout_s` (up to 60) seconds; raises NoAnswer."""
        if not 0 < timeout_s <= LONGEST_TIMEOUT_S:
            raise ValueError(f"timeout_s must be above 0 and at most {LONGEST_TIMEOUT_S:.0f}")
        started_s = time.monotonic()
        channel = self._channel or self._open()
        ask = channel.asks.open(orjson.dumps(body), timeout_s)
        channel.sender.send(ask)
        answered = ask.done.acquire(timeout=timeout_s)
        if not answered:
            channel.asks.give_up(ask)
        if ask.reply is None:
            self._unanswered.observe(time.monotonic() - started_s)
            raise NoAnswer(ask.failure or f"no answer on {self._stream} within {timeout_s} s")
        self._answered.observe(time.monotonic() - started_s)
        answer: dict[str, Any] = orjson.loads(ask.reply)
        return answer

    def close(self) -> None:
        """Fail what waits and end the threads; later asks raise NoAnswer."""
        with self._opening:
            self._closed = True
            channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()

    def _open(self) -> _Channel:
        with self._opening:
            if self._closed:
                raise NoAnswer("closed")
            if self._channel is None:
                self._channel = _Channel(self._url, self._stream, self._service, self._max_waiting)
            return self._channel

    def _forget_parent(self) -> None:
        self._channel = None
        self._opening = threading.Lock()
