"""Log files of parts: bounded in size, and their last lines for a message."""

import shutil
from pathlib import Path

LIMIT_BYTES = 10 * 1024 * 1024
KEPT = 3


def rotate(folder: Path, limit_bytes: int = LIMIT_BYTES) -> None:
    """Move the text of every log in `folder` that is over the limit to `.1` (older ones to `.2`, `.3`).

    Parts write into open files in append mode, so the file stays and is emptied; a line written between the
    copy and that moment is lost, which no part has to notice.
    """
    for log in folder.glob("*.log"):
        if log.stat().st_size < limit_bytes:
            continue
        for age in range(KEPT - 1, 0, -1):
            older = log.with_suffix(f".log.{age}")
            if older.exists():
                older.replace(log.with_suffix(f".log.{age + 1}"))
        shutil.copyfile(log, log.with_suffix(".log.1"))
        with log.open("r+b") as file:
            file.truncate(0)


def last_lines(log: Path, count: int = 12, width: int = 400) -> str:
    """The end of a log file, indented; long lines are cut at `width` characters."""
    if not log.exists():
        return "    (no log)"
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 64 * 1024))
        lines = file.read().decode(errors="replace").splitlines()[-count:]
    return "\n".join(f"    {line[:width]}" for line in lines) or "    (the log is empty)"
