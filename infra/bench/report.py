"""The measurement as a table, and where it stands in the documentation."""

import os
from dataclasses import dataclass
from pathlib import Path

from infra.bench.load import Timings
from infra.bench.meter import Reading

REPORT = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
PLAYS, LIVE, RESULTS = "bench", "live", "results"  # the places in the document


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: what was done, how it went, and CPU seconds by part while it ran."""

    name: str
    timings: Timings
    cpu_s: dict[str, float]

    @property
    def cpu_per_1000(self) -> float:
        """Server CPU seconds per 1000 actions, all parts together."""
        return sum(self.cpu_s.values()) / self.timings.actions * 1000


def report_of(rows: list[Measured], reading: Reading, started_s: float, peak_mib: float) -> str:
    """The table; `peak_mib` is the most that the host and all its parts took after any of the loads."""
    lines = [
        f"{os.cpu_count()} cores shared with the load generator; fresh start ready in {started_s:.1f} s;"
        f" everything together at most {peak_mib:.0f} MiB PSS.",
        "",
        "| work | actions/s | requests | p50 ms | p99 ms | CPU s per 1000 actions |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.name} | {row.timings.rate:.0f} | {len(row.timings.seconds)}"
        f" | {row.timings.percentile_ms(0.5):.1f} | {row.timings.percentile_ms(0.99):.1f}"
        f" | {row.cpu_per_1000:.2f} |"
        for row in rows
    ]
    lines += ["", "CPU seconds per 1000 actions by part, and PSS in MiB at the end:", ""]
    shown = rows[:4]
    lines.append("| part | " + " | ".join(row.name for row in shown) + " | PSS MiB |")
    lines.append("|---|" + "---|" * (len(shown) + 1))
    for part, pss in reading.pss_mib.items():
        cells = [f"{row.cpu_s.get(part, 0.0) / row.timings.actions * 1000:.2f}" for row in shown]
        lines.append(f"| {part} | " + " | ".join(cells) + f" | {pss:.0f} |")
    gateway_ms = rows[3].timings.percentile_ms(0.5) - rows[4].timings.percentile_ms(0.5)
    lines += ["", f"The gateway adds {gateway_ms:.1f} ms at p50 to a read."]
    return "\n".join(lines)


def write_into_docs(report: str, place: str) -> None:
    """Put `report` between the marks of `place`."""
    begin, end = f"<!-- {place}: begin -->", f"<!-- {place}: end -->"
    text = REPORT.read_text(encoding="utf-8")
    head, _, rest = text.partition(begin)
    _, _, tail = rest.partition(end)
    REPORT.write_text(f"{head}{begin}\n{report}\n{end}{tail}", encoding="utf-8")
