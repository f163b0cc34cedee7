"""Which user id the embedded servers run under, and the folders that belong to it."""

import os
import pwd
from pathlib import Path

# initdb insists on a user that the system knows; everybody's nobody lends its name for that moment.
NOBODY = 65_534
FIRST_UID = 60_098


def server_uid(folder: Path) -> int | None:
    """For root the owner of `folder`, else an id that nobody has; None for an ordinary user, to stay so."""
    if os.geteuid() != 0:
        return None
    if folder.exists() and folder.stat().st_uid != 0:
        return folder.stat().st_uid
    known = {entry.pw_uid for entry in pwd.getpwall()}
    return next(uid for uid in range(FIRST_UID, FIRST_UID + 1_000) if uid not in known)


def private_folder(folder: Path, uid: int | None) -> None:
    """Make `folder` with mode 0700, belonging to `uid` (None: the present user)."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    if uid is not None:
        os.chown(folder, uid, uid)


def give(path: Path, uid: int | None) -> None:
    """Hand `path` and everything below it to `uid` (None: leave it)."""
    if uid is None:
        return
    for member in (path, *path.rglob("*")):
        os.chown(member, uid, uid, follow_symlinks=False)
