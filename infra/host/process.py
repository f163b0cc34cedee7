"""One child process: its own session, tied to this process's life, signalled as a whole."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

TETHER = Path(__file__).with_name("tether.py")
POLL_S = 0.02


def spawn(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    folder: Path,
    output: IO[bytes] | int,
    uid: int | None = None,
    death_signal: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start `command` (an absolute path first) in a session of its own, output and errors to `output`.

    The kernel sends `death_signal` to it when the *thread* that called this ends: call it from a thread that
    lives as long as the child should. With `uid` the child runs under that user id, which only root can ask
    for.
    """
    tether = [sys.executable, "-I", "-S", str(TETHER), str(os.getpid()), str(int(death_signal))]
    return subprocess.Popen(
        [*tether, "" if uid is None else str(uid), "--", *command],
        env=dict(environment),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def wait(child: subprocess.Popen[bytes], timeout_s: float) -> bool:
    """Whether `child` ended within `timeout_s` seconds."""
    try:
        child.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def describe_end(child: subprocess.Popen[bytes] | None) -> str:
    """How `child` ended, for a person."""
    code = 0 if child is None else child.returncode
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


def signal_group(pid: int, signum: signal.Signals) -> None:
    """Signal everything in the process group that `pid` leads or led; nothing left is no error."""
    try:
        os.killpg(pid, signum)
    except ProcessLookupError:
        return


def end(child: subprocess.Popen[bytes], steps: Sequence[tuple[signal.Signals, float]]) -> None:
    """End `child` by ever harder signals, each given its seconds, then kill what its group left behind."""
    for signum, timeout_s in steps:
        if child.poll() is not None:
            break
        child.send_signal(signum)
        if wait(child, timeout_s):
            break
    signal_group(child.pid, signal.SIGKILL)
    child.wait()


def tree(pid: int) -> list[int]:
    """`pid` and all its living descendants, parents first, whatever sessions they made."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = [pid]
    for member in found:
        found.extend(children.get(member, ()))
    return found


def signal_tree(pid: int, signum: signal.Signals) -> None:
    """Signal `pid` and every descendant; one that ends meanwhile is no error."""
    for member in tree(pid):
        try:
            os.kill(member, signum)
        except ProcessLookupError:
            continue


def running_in(folder: Path, executable: Path) -> list[int]:
    """Processes of `executable` that work inside `folder`: what an earlier host may have left behind."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            place, program = (process / "cwd").readlink(), (process / "exe").readlink()
        except OSError:
            continue
        if program == executable and place.is_relative_to(folder):
            found.append(int(process.name))
    return found


def clear_leftovers(folder: Path, executable: Path, grace_s: float = 5.0) -> None:
    """Let leftovers of an earlier host end by themselves for `grace_s` seconds, then kill them.

    The caller holds the data directory's lock, so nobody else's server can be among them.
    """
    deadline = time.monotonic() + grace_s
    while left := running_in(folder, executable):
        if time.monotonic() > deadline:
            for pid in left:
                signal_tree(pid, signal.SIGKILL)
        time.sleep(POLL_S)
