"""The random passwords of one data directory, kept in a file that only its owner reads."""

import json
import os
import secrets
from collections.abc import Iterable
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Replace the file at `path` by `text` in one step, readable by its owner alone."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def load_or_create(path: Path, names: Iterable[str]) -> dict[str, str]:
    """The password of each name from the JSON file at `path`; a missing one is made (192 bits) and kept."""
    known: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    missing = [name for name in names if name not in known]
    if missing:
        known |= {name: secrets.token_urlsafe(24) for name in missing}
        write_private(path, json.dumps(known, indent=2, sort_keys=True) + "\n")
    return known
