"""Argon2id with bounded concurrency: each hash takes 64 MiB and a tenth of a second of a core by default."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from services.accounts.domain.passwords import composed

WAITING = 8  # each holds a thread that others than those who sign in need too


class Overloaded(Exception):
    """No slot became free in time, or too many wait for one already."""


class Hasher:
    """Hashes and verifies passwords inside `slot()`, at most `slots` at once in this process.

    At most `waiting` callers wait for a slot, each `wait_s` seconds at most.
    """

    def __init__(
        self, *, memory_kib: int, passes: int, lanes: int, slots: int, wait_s: float, waiting: int = WAITING
    ) -> None:
        self._argon2 = PasswordHasher(time_cost=passes, memory_cost=memory_kib, parallelism=lanes)
        self._slots = BoundedSemaphore(slots)
        self._room = BoundedSemaphore(slots + waiting)
        self._wait_s = wait_s
        # What an unknown address is verified against, so that it costs what a known one does.
        self._nobody = self._argon2.hash("nobody's password")

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Room for one hash at a time; raises `Overloaded` when there is none within the waiting time.

        When as many wait as may it raises at once.
        """
        if not self._room.acquire(blocking=False):
            raise Overloaded
        try:
            if not self._slots.acquire(timeout=self._wait_s):
                raise Overloaded
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._room.release()

    def hash(self, password: str) -> str:
        """The password's hash with its parameters; call it inside `slot()`."""
        return self._argon2.hash(composed(password))

    def matches(self, password_hash: str | None, password: str) -> bool:
        """Whether `password` is the one behind `password_hash`; None (nobody) costs the same. In `slot()`."""
        try:
            self._argon2.verify(password_hash or self._nobody, composed(password))
        except VerifyMismatchError:
            return False
        return password_hash is not None

    def is_outdated(self, password_hash: str) -> bool:
        """Whether `password_hash` was made with other parameters than today's."""
        return self._argon2.check_needs_rehash(password_hash)
