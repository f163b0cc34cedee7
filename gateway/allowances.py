"""How fast requests may come: an allowance that fills up at a rate and holds a burst."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

KEYS_LIMIT = 50_000


@dataclass(frozen=True, slots=True)
class Rate:
    """`per_s` requests a second in the long run, `burst` at once."""

    per_s: float
    burst: int


class Allowances:
    """One allowance per key, in this process's memory.

    For each key the moment is kept at which its allowance is full again (the GCRA algorithm): a key that
    is not there has a full one.
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._each_s = 1 / rate.per_s
        self._burst_s = rate.burst / rate.per_s
        self._clock = clock
        self._full_at: dict[Hashable, float] = {}
        self._lock = threading.Lock()

    def take(self, key: Hashable) -> float:
        """Take one from `key`'s allowance: 0, or the seconds until there is one and nothing is taken."""
        with self._lock:
            now = self._clock()
            full_at, wait_s = self._next(key, now)
            if wait_s:
                return wait_s
            if len(self._full_at) >= KEYS_LIMIT:
                self._forget(now)
            self._full_at[key] = full_at
            return 0.0

    def wait_s(self, key: Hashable) -> float:
        """Seconds until `take` would take one; takes nothing."""
        return self._next(key, self._clock())[1]

    def _next(self, key: Hashable, now: float) -> tuple[float, float]:
        """When the allowance is full again once one more is taken, and the wait until it may be."""
        full_at = max(self._full_at.get(key, now), now) + self._each_s
        wait_s = full_at - now - self._burst_s
        return full_at, wait_s if wait_s > 1e-9 else 0.0

    def _forget(self, now: float) -> None:
        """Drop full allowances; when that frees too little, the older half of the rest as well."""
        waiting = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
        if len(waiting) > KEYS_LIMIT // 2:
            waiting = dict(list(waiting.items())[len(waiting) // 2 :])
        self._full_at = waiting
