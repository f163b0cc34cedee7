"""The data directory: where each thing lies in it, and the lock that lets one host at a time use it."""

import fcntl
import os
import time
from dataclasses import dataclass
from pathlib import Path

from infra.host.process import POLL_S

REMAINS_TIMEOUT_S = 15.0


class DataFolderLocked(Exception):
    """Another host uses the data directory."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    root: Path

    @property
    def run(self) -> Path:
        return self.root / "run"

    @property
    def log(self) -> Path:
        return self.root / "log"

    @property
    def keys(self) -> Path:
        return self.root / "keys"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def parts_file(self) -> Path:
        return self.run / "parts.json"

    @property
    def environment_file(self) -> Path:
        return self.run / "environment.json"

    def create(self) -> None:
        """Make what is missing; a host of root lets the embedded servers' user pass through."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o711 if os.geteuid() == 0 else 0o700)
        for folder in (self.run, self.log, self.keys, self.backups):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o700)

    def lock(self) -> int:
        """Take the lock and answer its file descriptor, which holds it until every copy is closed.

        Raises DataFolderLocked when another host lives; remains of a dead one are waited for.
        """
        descriptor = os.open(self.run / "host.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + REMAINS_TIMEOUT_S
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(descriptor, 32, 0).decode().strip()
                if _lives(holder) or time.monotonic() > deadline:
                    os.close(descriptor)
                    raise DataFolderLocked(
                        f"another host (process {holder}) uses {self.root}: stop it, or choose another --data"
                    ) from None
                time.sleep(POLL_S)
            else:
                os.truncate(descriptor, 0)
                os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
                return descriptor


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
