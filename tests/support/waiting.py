"""Waiting for a condition with a deadline, instead of for time to pass."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

POLL_S = 0.05
T = TypeVar("T")


def until(condition: Callable[[], T], timeout_s: float = 15.0, what: str = "") -> T:
    """The first true value of `condition`, asked every 50 ms; AssertionError after `timeout_s` seconds."""
    deadline_s = time.monotonic() + timeout_s
    pause = threading.Event()
    while not (value := condition()):
        assert time.monotonic() < deadline_s, f"not within {timeout_s:g} s: {what or condition}"
        pause.wait(POLL_S)
    return value
