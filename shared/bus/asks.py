"""Owns the requests of one process that wait for an answer: who waits, for what, until when."""

import itertools
import threading
import time


class NoAnswer(Exception):
    """No answer came in time, or none could be asked for; the same request may be sent again."""


class Ask:
    """One request on its way. `deadline_s` is by the monotonic clock; `done` is held until it is settled."""

    __slots__ = ("body", "cid", "deadline_s", "done", "failure", "reply")

    def __init__(self, cid: bytes, body: bytes, deadline_s: float) -> None:
        self.cid = cid
        self.body = body
        self.deadline_s = deadline_s
        self.reply: bytes | None = None
        self.failure = ""
        self.done = threading.Lock()
        self.done.acquire()


class Asks:
    """The waiting ones by correlation id; at most `limit`. Safe for many threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: dict[bytes, Ask] = {}
        self._numbers = itertools.count(1)

    def __len__(self) -> int:
        return len(self._waiting)

    def open(self, body: bytes, timeout_s: float) -> Ask:
        """Start waiting; raises NoAnswer when too many wait already."""
        if len(self._waiting) >= self._limit:
            raise NoAnswer(f"{self._limit} requests are waiting for an answer already")
        ask = Ask(b"%d" % next(self._numbers), body, time.monotonic() + timeout_s)
        self._waiting[ask.cid] = ask
        return ask

    def is_waiting(self, ask: Ask) -> bool:
        """Whether somebody still wants the answer."""
        return ask.cid in self._waiting

    def settle(self, cid: bytes, reply: bytes | None, failure: str = "") -> None:
        """Hand over the reply, or why there is none; a second reply finds nobody waiting and is dropped."""
        ask = self._waiting.pop(cid, None)
        if ask is not None:
            ask.reply = reply
            ask.failure = failure
            ask.done.release()

    def give_up(self, ask: Ask) -> None:
        """Stop waiting."""
        self._waiting.pop(ask.cid, None)

    def fail_all(self, failure: str) -> None:
        """Settle whatever waits without an answer."""
        for cid in list(self._waiting):
            self.settle(cid, None, failure)
