"""Memory that processes really take: the proportional set size, shared pages divided among their users."""

from pathlib import Path

from infra.host.process import tree


def pss_bytes(pid: int) -> int:
    """Of one process; 0 when it has ended or may not be looked at."""
    try:
        lines = (Path("/proc") / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def tree_pss_bytes(pid: int) -> int:
    """Of a process and all its descendants."""
    return sum(map(pss_bytes, tree(pid)))
