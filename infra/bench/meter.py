"""CPU time and memory of a running host's parts, read from the operating system."""

import os
from dataclasses import dataclass
from pathlib import Path

from infra.host.data_folder import DataFolder
from infra.host.journal import read_parts
from infra.host.memory import tree_pss_bytes
from infra.host.process import tree

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Reading:
    """By part: CPU seconds used so far and PSS in MiB now, each with all its descendants."""

    cpu_s: dict[str, float]
    pss_mib: dict[str, float]

    def since(self, earlier: "Reading") -> dict[str, float]:
        """CPU seconds used by each part since `earlier`."""
        return {part: used - earlier.cpu_s.get(part, 0.0) for part, used in self.cpu_s.items()}


def read(data: Path) -> Reading:
    """The parts of the host that runs on `data`."""
    parts = [part for part in read_parts(DataFolder(data)) if part.pid]
    return Reading(
        {part.name: sum(map(_cpu_s, tree(part.pid or 0))) for part in parts},
        {part.name: tree_pss_bytes(part.pid or 0) / 2**20 for part in parts},
    )


def _cpu_s(pid: int) -> float:
    """User and system time of a process and its ended children; 0 when it is gone."""
    try:
        fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS_PER_S
