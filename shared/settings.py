"""Where settings come from: the environment, completed by what a running host has written down."""

import json
import os
from pathlib import Path

from environs import FileAwareEnv

CHECKOUT = Path(__file__).resolve().parent.parent


def data_dir() -> Path:
    """The data directory: `DATA_DIR`, else `.data` in the checkout."""
    return Path(os.environ.get("DATA_DIR") or CHECKOUT / ".data")


def environment() -> dict[str, str]:
    """The process environment; names it lacks come from `<data>/run/environment.json` when that is there.

    So a command line finds the servers of the running host by itself, and a container needs no file.
    """
    written = data_dir() / "run" / "environment.json"
    try:
        found: dict[str, str] = json.loads(written.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        found = {}
    return found | dict(os.environ)


class Reader(FileAwareEnv):
    """An `environs` reader over `environment()`; `NAME_FILE` may name a file with the value of `NAME`."""

    def __init__(self) -> None:
        super().__init__(strip_whitespace=True)
        self._environ |= environment()
