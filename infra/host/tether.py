"""Starts one command whose life is tied to its parent's, under another user id where one is given.

Run by path with an isolated interpreter (`python -I -S tether.py PARENT SIGNAL UID -- COMMAND…`), so that the
steps between fork and exec never run in a parent that may have threads.
"""

import ctypes
import os
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_SECUREBITS = 28
SECBIT_NO_SETUID_FIXUP = 4
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522

OUT_OF_REACH = """\
the servers run under a user of their own, which may not enter a folder on the way to this checkout or its
data, and this root lacks the right to help it (CAP_DAC_READ_SEARCH): move them to where everyone may pass"""

libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int, step: str) -> None:
    if result != 0:
        raise SystemExit(f"{step}: {os.strerror(ctypes.get_errno())}")


def become(uid: int, command: str) -> None:
    """Change to `uid` for good; keep the right to look up paths where the command lies out of reach.

    A checkout below root's home (mode 0700) is such a place; opening that folder for everyone would be worse.
    """
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    # access(2) judges by the real id.
    os.setresuid(uid, 0, 0)
    is_reachable = all(os.access(path, os.X_OK) for path in (command, Path.cwd()))
    if not is_reachable:
        # Without this access(2), by which initdb judges its own files, would not count what is kept.
        checked(libc.prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0), "keep capabilities")
    os.setresuid(uid, uid, uid)
    if not is_reachable:
        keep_look_up()


def keep_look_up() -> None:
    """Give up every capability but that of looking up paths, which the command inherits."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)(*[1 << CAP_DAC_READ_SEARCH] * 3, 0, 0, 0)
    checked(libc.capset(ctypes.byref(header), ctypes.byref(sets)), OUT_OF_REACH)
    checked(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0), "ambient capability")


def main(arguments: list[str]) -> None:
    parent, death_signal, uid, _, *command = arguments
    if uid:
        become(int(uid), command[0])
    # After the change of user, which would clear it.
    checked(libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0), "tie to the parent")
    if os.getppid() != int(parent):
        raise SystemExit("the parent ended first")
    os.execv(command[0], command)  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
