"""The table that `python -m infra.host status` prints."""

from datetime import UTC, datetime

from infra.host.data_folder import DataFolder
from infra.host.journal import PartRecord, read_parts
from infra.host.memory import tree_pss_bytes

MIB = 1024 * 1024


def age(since: str | None, now: datetime) -> str:
    """How long ago `since` (ISO 8601) was, for a person."""
    if since is None:
        return "-"
    seconds = int((now - datetime.fromisoformat(since)).total_seconds())
    hours, rest = divmod(max(0, seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}"


def row(part: PartRecord, now: datetime) -> tuple[str, ...]:
    memory = "-" if part.pid is None else f"{tree_pss_bytes(part.pid) / MIB:.0f}"
    state = "ready" if part.is_ready else "starting" if part.pid else "down"
    pid = "-" if part.pid is None else str(part.pid)
    return part.name, state, pid, str(part.port), age(part.since, now), str(part.restarts), memory


def table(folder: DataFolder) -> str | None:
    """Parts with state, process, port, age, restarts and PSS in MiB; None when no host runs on `folder`."""
    parts = read_parts(folder)
    if not parts:
        return None
    rows = [row(part, datetime.now(UTC)) for part in parts]
    total = sum(int(it[-1]) for it in rows if it[-1] != "-")
    rows = [
        ("part", "state", "pid", "port", "up", "restarts", "MiB"),
        *rows,
        ("all", "", "", "", "", "", str(total)),
    ]
    widths = [max(len(it[column]) for it in rows) for column in range(7)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(it, widths, strict=True)) for it in rows)
    return "\n".join(line.rstrip() for line in lines)
