"""Stops asking a service that does not answer, so that its callers are not kept waiting.

Not pybreaker: it either holds one lock around each call, which lets one request at a time through, or lets
every caller try a half-open service at once.
"""

import threading
import time
from collections.abc import Callable

FAILURES = 5
PAUSE_S = 0.5
TRIAL_BUDGET_S = 2.0


class Breaker:
    """Opens after `failures` in a row; then one trial every `pause_s` may find the service back."""

    def __init__(
        self,
        failures: int = FAILURES,
        pause_s: float = PAUSE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limit = failures
        self._pause_s = pause_s
        self._clock = clock
        self._failures = 0
        self._trial_at = 0.0
        self._lock = threading.Lock()

    @property
    def closed(self) -> bool:
        """Whether requests flow freely."""
        return self._failures < self._limit

    def admit(self, budget_s: float) -> float:
        """Seconds a request may take that wants `budget_s`: 0 to turn it away, less for a trial."""
        if self.closed:
            return budget_s
        with self._lock:
            if self._clock() < self._trial_at:
                return 0.0
            self._trial_at = self._clock() + self._pause_s
            return min(budget_s, TRIAL_BUDGET_S)

    def succeeded(self) -> None:
        """The service answered, whatever it said."""
        self._failures = 0

    def failed(self) -> None:
        """The service could not be reached, broke off, or did not answer in time."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._limit:
                self._trial_at = self._clock() + self._pause_s
