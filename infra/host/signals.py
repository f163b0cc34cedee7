"""Waiting that ends early when a child ends or somebody asks to end, counted."""

import os
import select
import signal
from types import FrameType


class Signals:
    """From now on SIGINT, SIGTERM and SIGHUP are counted instead of obeyed, and SIGCHLD ends a wait."""

    def __init__(self) -> None:
        self.asked = 0
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signum, self._ask)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def wait(self, timeout_s: float) -> None:
        """Until a signal, at most `timeout_s` seconds."""
        ready, _, _ = select.select([self._reader], [], [], timeout_s)
        if ready:
            os.read(self._reader, 4096)

    def wait_unless_asked(self, timeout_s: float = 0.1) -> bool:
        """Wait, then tell whether somebody asked to end."""
        if not self.asked:
            self.wait(timeout_s)
        return self.asked > 0

    def _ask(self, _: int, __: FrameType | None) -> None:
        self.asked += 1
