"""Starts one command whose life is tied to its parent's, under another user id where one is given.

Run by path with an isolated interpreter (`python -I -S tether.py PARENT SIGNAL UID -- COMMAND…`), so that the
steps between fork and exec never run in a parent that may have threads.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_RAISE = 2
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int, step: str) -> None:
    if result != 0:
        raise SystemExit(f"{step}: {os.strerror(ctypes.get_errno())}")


def become(uid: int, command: str) -> None:
    """Change to `uid` for good, keeping only the right to look up paths where the command lies out of its reach.

    A checkout below root's home (mode 0700) is such a place; opening that folder for everyone would be worse.
    """
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    checked(libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "keep capabilities")
    os.setresuid(uid, uid, uid)
    reachable = all(os.access(path, os.X_OK) for path in (command, os.getcwd()))
    keep = 0 if reachable else 1 << CAP_DAC_READ_SEARCH
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)(keep, keep, keep, 0, 0, 0)
    checked(libc.capset(ctypes.byref(header), ctypes.byref(sets)), "a path that the servers' user cannot reach")
    if keep:
        checked(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_DAC_READ_SEARCH, 0, 0), "ambient capability")


def main(arguments: list[str]) -> None:
    parent, death_signal, uid, _, *command = arguments
    if uid:
        become(int(uid), command[0])
    # After the change of user, which would clear it.
    checked(libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0), "tie to the parent")
    if os.getppid() != int(parent):
        raise SystemExit("the parent ended first")
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
