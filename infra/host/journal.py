"""What a running host writes down for others: its parts, and the variables for command lines."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from infra.host.data_folder import DataFolder
from infra.host.passwords import write_private
from infra.host.supervisor import Watched


@dataclass(frozen=True, slots=True)
class PartRecord:
    """One line of the parts' file; `pid` None while it is down, `since` in UTC."""

    name: str
    pid: int | None
    port: int
    metrics_port: int | None
    restarts: int
    is_ready: bool
    since: str | None


def record_parts(folder: DataFolder, watched: Sequence[Watched]) -> None:
    """Write `parts.json`: name → pid, port, metrics_port, restarts, is_ready, since."""
    parts = {
        it.member.name: {
            "pid": it.member.pid,
            "port": it.member.port,
            "metrics_port": it.member.metrics_port,
            "restarts": it.restarts,
            "is_ready": it.is_ready,
            "since": it.started_at,
        }
        for it in watched
    }
    write_private(folder.parts_file, json.dumps(parts, indent=2) + "\n")


def read_parts(folder: DataFolder) -> list[PartRecord]:
    """What a running host wrote, or nothing."""
    if not folder.parts_file.exists():
        return []
    parts = json.loads(folder.parts_file.read_text())
    return [PartRecord(name=name, **record) for name, record in parts.items()]


def record_environment(folder: DataFolder, variables: Mapping[str, str]) -> None:
    """Write `environment.json`, which holds passwords, for command lines of the same user."""
    write_private(folder.environment_file, json.dumps(dict(variables), indent=2) + "\n")


def forget(folder: DataFolder) -> None:
    """Remove both at the end."""
    folder.parts_file.unlink(missing_ok=True)
    folder.environment_file.unlink(missing_ok=True)
