"""One request per game at a time inside a process, so that devices at one table do not race for nothing."""

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager


class KeyedLocks:
    """A lock per key; keys nobody holds or waits for take no memory."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[Hashable, tuple[threading.Lock, int]] = {}

    @contextmanager
    def hold(self, key: Hashable, timeout_s: float) -> Iterator[None]:
        """Hold the lock of `key`; raises `TimeoutError` when it is not free within `timeout_s`."""
        with self._guard:
            lock, users = self._locks.get(key, (None, 0))
            lock = lock or threading.Lock()
            self._locks[key] = (lock, users + 1)
        try:
            if not lock.acquire(timeout=timeout_s):
                raise TimeoutError(str(key))
            try:
                yield
            finally:
                lock.release()
        finally:
            with self._guard:
                lock, users = self._locks.pop(key)
                if users > 1:
                    self._locks[key] = (lock, users - 1)
