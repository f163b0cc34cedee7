"""`python -m infra.bench.plays`: what a play costs on a fresh embedded start, as a table for the docs."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import click

from infra.bench import load, meter
from infra.bench.connection import Connection
from infra.bench.fresh import CHECKOUT, HOST, fresh_system
from infra.bench.load import Table
from infra.bench.report import PLAYS, Measured, report_of, write_into_docs
from infra.host.memory import tree_pss_bytes

RECORDING = CHECKOUT / "gateway" / "client" / "recordings" / "won-3-normal.json"
TABLES = 64
OFFERED_PER_S = 100.0


@click.command()
@click.option("--seconds", default=20.0, show_default=True, help="How long each load lasts.")
@click.option("--write/--no-write", default=True, help="Write the table into infra/docs/performance.md.")
def main(seconds: float, write: bool) -> None:
    """Measure plays against a fresh embedded start on loopback."""
    if not 1 <= seconds <= 300:
        raise click.BadParameter("between 1 and 300")
    with fresh_system() as system:
        rows, peak_mib, reading = asyncio.run(_measure(system.data, system.port, system.pid, seconds))
    report = report_of(rows, reading, system.started_s, peak_mib)
    click.echo(report)
    if write:
        write_into_docs(report, PLAYS)


async def _measure(
    data: Path, port: int, host: int, seconds: float
) -> tuple[list[Measured], float, meter.Reading]:
    recording = json.loads(RECORDING.read_text(encoding="utf-8"))
    connections = [Connection(HOST, port, await load.sign_up(HOST, port)) for _ in range(TABLES)]
    singles = [Table(connection, recording, whole_turns=False) for connection in connections]
    whole = [Table(connection, recording, whole_turns=True) for connection in connections]

    peaks: list[float] = []

    async def measured(name: str, work: Callable[[], object]) -> Measured:
        before = meter.read(data)
        timings = await work()  # type: ignore[misc]
        used = meter.read(data).since(before)
        peaks.append(tree_pss_bytes(host) / 2**20)
        return Measured(name, timings, used)

    await load.saturate(singles, min(3.0, seconds))  # warm up: connections, caches, prepared statements
    rows = [
        await measured("single plays, 64 tables", lambda: load.saturate(singles, seconds)),
        await measured("single plays, 100/s offered", lambda: load.offer(singles, OFFERED_PER_S, seconds)),
        await measured("whole turns, 64 tables", lambda: load.saturate(whole, seconds)),
    ]
    _, games = await connections[0].call("GET", "/v1/games?limit=1")
    path = f"/v1/games/{games['items'][0]['id']}"
    reads = int(seconds * 50)
    rows.append(
        await measured(
            "reads of one game, through the gateway",
            lambda: load.read_repeatedly(connections[0], lambda: path, reads),
        )
    )
    parts = json.loads((data / "run" / "parts.json").read_text())
    async with Connection(HOST, parts["sessions-web"]["port"], connections[0].token) as direct:
        rows.append(
            await measured(
                "reads of one game, sessions alone",
                lambda: load.read_repeatedly(direct, lambda: path, reads),
            )
        )
    reading = meter.read(data)
    for connection in connections:
        await connection.__aexit__(None, None, None)
    return rows, max(peaks), reading


if __name__ == "__main__":
    main()
