"""Outlives a host that was killed, long enough to end what it left behind.

Run by path (`python -I -S guardian.py FILE…`). Standard input is a pipe that the host writes `+PID` or
`-PID` lines to, one for each process group that it starts or has seen end; its end means that the host is
gone. Every part has had its own death signal from the kernel by then; this takes care of workers that were
not told, and removes the FILEs that say where a running host is. The guardian holds the data directory's lock
too, so that the next host starts when nothing is left.
"""

import os
import signal
import sys
import time
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path

GRACE_S = 5.0


def living(groups: AbstractSet[int]) -> set[int]:
    """Those of `groups` that have a process left which is not merely waiting to be reaped."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group, *_ = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state not in "ZX":
            found.add(int(group))
    return found & groups


def main(files: list[str]) -> None:
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        pid = int(line[1:])
        groups = groups | {pid} if line[0] == "+" else groups - {pid}
    for file in files:
        Path(file).unlink(missing_ok=True)
    deadline = time.monotonic() + GRACE_S
    while (left := living(groups)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in left:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
