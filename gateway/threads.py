"""Threads for what waits: the event loop hands them calls and goes on."""

import asyncio
import contextlib
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
WAITING_LIMIT = 512


class Threads:
    """`count` of them, none of which keeps the process from ending.

    Less than `concurrent.futures` offers, at half its price for each call: every request pays it.
    """

    def __init__(self, count: int, waiting_limit: int = WAITING_LIMIT) -> None:
        self._calls: SimpleQueue[Callable[[], object]] = SimpleQueue()
        self._waiting_limit = waiting_limit
        for number in range(count):
            Thread(target=self._work, name=f"edge-{number}", daemon=True).start()

    @property
    def are_crowded(self) -> bool:
        """Whether so many calls wait that another one is better not begun."""
        return self._calls.qsize() >= self._waiting_limit

    async def run(self, call: Callable[[], T], unwanted: Callable[[T], object] | None = None) -> T:
        """What `call` returns or raises; `unwanted` gets what it returns to a caller that was cancelled."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def deliver(result: T) -> None:
            if not future.done():
                future.set_result(result)
            elif unwanted is not None:
                self.start(lambda: unwanted(result))

        def fail(error: Exception) -> None:
            if not future.done():
                future.set_exception(error)

        def work() -> None:
            try:
                result = call()
            except Exception as error:  # noqa: BLE001  (it is the caller's, whatever it is)
                loop.call_soon_threadsafe(fail, error)
            else:
                loop.call_soon_threadsafe(deliver, result)

        self._calls.put(work)
        return await future

    def start(self, call: Callable[[], object]) -> None:
        """Make `call` in a thread, for nobody's result."""
        self._calls.put(call)

    def _work(self) -> None:
        while True:
            call = self._calls.get()
            with contextlib.suppress(RuntimeError):  # the loop has ended, and nobody waits any more
                call()
            del call
