"""`python -m infra.bench.plays`: what a play costs on a fresh embedded start, as a table for the docs."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
import urllib3

from infra.bench import load, meter
from infra.bench.connection import Connection
from infra.bench.load import Table
from infra.bench.report import Measured, report_of, write_into_docs
from infra.host.memory import tree_pss_bytes
from infra.host.ports import free_port

CHECKOUT = Path(__file__).resolve().parents[2]
RECORDING = CHECKOUT / "gateway" / "client" / "recordings" / "won-3-normal.json"
HOST = "127.0.0.1"
TABLES = 64
OFFERED_PER_S = 100.0
START_TIMEOUT_S = 120.0
# Signing the tables' accounts up is not what is measured.
QUICK_SIGN_UPS = {"ACCOUNTS_ARGON2_MEMORY_KIB": "1024", "ACCOUNTS_ARGON2_PASSES": "1"}


@click.command()
@click.option("--seconds", default=20.0, show_default=True, help="How long each load lasts.")
@click.option("--write/--no-write", default=True, help="Write the table into infra/docs/performance.md.")
def main(seconds: float, write: bool) -> None:
    """Measure plays against a fresh embedded start on loopback."""
    if not 1 <= seconds <= 300:
        raise click.BadParameter("between 1 and 300")
    data = Path(tempfile.mkdtemp(prefix="ninety-eight-bench-"))
    data.chmod(0o711)
    port = free_port()
    began = time.monotonic()
    host = subprocess.Popen(
        [sys.executable, "-m", "infra.host", "--data", str(data), "--port", str(port)],
        cwd=CHECKOUT,
        env=os.environ | QUICK_SIGN_UPS,
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_ready(port, host)
        started_s = time.monotonic() - began
        rows, peak_mib, reading = asyncio.run(_measure(data, port, host.pid, seconds))
    finally:
        host.send_signal(signal.SIGINT)
        host.wait(30)
        shutil.rmtree(data, ignore_errors=True)
    report = report_of(rows, reading, started_s, peak_mib)
    click.echo(report)
    if write:
        write_into_docs(report)


def _wait_ready(port: int, host: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and host.poll() is None:
        try:
            if urllib3.request("GET", f"http://{HOST}:{port}/ready", retries=False, timeout=2).status == 200:
                return
        except urllib3.exceptions.HTTPError:
            pass
        time.sleep(0.1)
    raise click.ClickException("the system did not become ready")


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
