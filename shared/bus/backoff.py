"""Owns how long to wait between attempts that fail."""

from dataclasses import dataclass


@dataclass(slots=True)
class Backoff:
    """Waits that double from `first_s` up to `cap_s` seconds until `reset`."""

    first_s: float = 0.05
    cap_s: float = 1.0
    _failures: int = 0

    def next_s(self) -> float:
        """How long to wait after one more failure."""
        wait_s = min(self.cap_s, self.first_s * 2.0 ** min(self._failures, 30))
        self._failures += 1
        return wait_s

    def reset(self) -> None:
        """It worked."""
        self._failures = 0
