"""Several processes behind one listening socket."""

import os
import signal
import sys
import traceback
from collections.abc import Callable


def run_workers(count: int, work: Callable[[], None]) -> None:
    """Do `work` in `count` processes, a single one being this one; SIGTERM goes to all of them.

    When one ends by itself the others are ended too and this process exits with 1, so that whoever started
    it starts all of them again.
    """
    if count == 1:
        work()
        return
    running = {_forked(work) for _ in range(count)}
    ending = failed = False

    def end(*_: object) -> None:
        nonlocal ending
        ending = True
        for pid in running:
            os.kill(pid, signal.SIGTERM)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    while running:
        pid, _ = os.wait()
        running.discard(pid)
        if not ending:
            failed = True
            end()
    if failed:
        sys.exit(1)


def _forked(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        work()
        status = 0
    finally:
        if status:
            traceback.print_exc()
        os._exit(status)
