"""Owns the time by Redis' clock, by which deadlines are kept on every machine alike."""

import time
from collections.abc import Callable

from redis.exceptions import ResponseError

from shared.bus.connections import Line

STALE_AFTER_S = 10.0


class RedisClock:
    """Redis' time, measured over a line and carried on by this machine's monotonic clock."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._offset_s: float | None = None
        self._measured_s = 0.0

    @property
    def is_stale(self) -> bool:
        """Whether it should be measured (again)."""
        return self._offset_s is None or self._monotonic() - self._measured_s > STALE_AFTER_S

    def measure(self, line: Line) -> None:
        """Ask Redis for its time; off by at most half the round trip. Raises as `Line.exchange` does."""
        sent_s = self._monotonic()
        (reply,) = line.exchange([("TIME",)])
        if isinstance(reply, ResponseError):
            raise reply
        now_s = self._monotonic()
        self._offset_s = int(reply[0]) + int(reply[1]) / 1e6 - (sent_s + now_s) / 2
        self._measured_s = now_s

    def at_ms(self, monotonic_s: float) -> int:
        """Redis' time in milliseconds when the monotonic clock shows `monotonic_s`."""
        if self._offset_s is None:
            raise RuntimeError("measure Redis' clock before reading it")
        return int((monotonic_s + self._offset_s) * 1000)

    def now_ms(self) -> int:
        """Redis' time in milliseconds, now."""
        return self.at_ms(self._monotonic())
