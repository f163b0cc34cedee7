"""`python -m infra.bench.live`: how soon listeners see an entry, and what idle ones cost, as a table."""

import asyncio
import json
import resource
import time
from dataclasses import dataclass

import click

from infra.bench import load, meter
from infra.bench.connection import Connection
from infra.bench.fresh import HOST, Fresh, fresh_system
from infra.bench.listener import Listener, percentile_ms
from infra.bench.load import Table
from infra.bench.plays import OFFERED_PER_S, RECORDING, TABLES
from infra.bench.report import LIVE, write_into_docs

LISTENERS_PER_TABLE = 4
AT_ONCE = 50  # streams that are being opened at the same time
LAST_ARRIVALS_S = 5.0
PARTS = ("gateway-live", "gateway-web", "sessions-web")


@dataclass(slots=True)
class Idle:
    """What `listeners` that hear nothing but comments cost by part: shares of a core, MiB before, after."""

    listeners: int
    opened_s: float
    still_open: int
    core_share: dict[str, float]
    before_mib: dict[str, float]
    after_mib: dict[str, float]


@dataclass(slots=True)
class Heard:
    """Seconds from sending a play to each listener's having its entry, and how many were expected."""

    seconds: list[float]
    expected: int
    cpu_s: dict[str, float]


@click.command()
@click.option("--seconds", default=20.0, show_default=True, help="How long each load lasts.")
@click.option("--listeners", default=2_000, show_default=True, help="How many idle ones.")
@click.option("--write/--no-write", default=True, help="Write the table into infra/docs/performance.md.")
def main(seconds: float, listeners: int, write: bool) -> None:
    """Measure the live view against a fresh embedded start on loopback."""
    if not 1 <= seconds <= 60 or not 1 <= listeners <= 10_000:
        raise click.BadParameter("1 to 60 seconds, 1 to 10,000 listeners")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with fresh_system() as system:
        heard, idle = asyncio.run(_measure(system, seconds, listeners))
    report = report_of(heard, idle)
    click.echo(report)
    if write:
        write_into_docs(report, LIVE)


async def _measure(system: Fresh, seconds: float, listeners: int) -> tuple[Heard, Idle]:
    recording = json.loads(RECORDING.read_text(encoding="utf-8"))
    tokens = [await load.sign_up(HOST, system.port) for _ in range(TABLES)]
    sent: dict[tuple[str, int], float] = {}
    arrived: list[tuple[str, int, float]] = []

    def when_sent(game: str, version: int, at: float) -> None:
        sent[game, version] = at

    connections = [Connection(HOST, system.port, token) for token in tokens]
    tables = [Table(it, recording, whole_turns=False, heard=when_sent) for it in connections]
    games = [await table.begin() for table in tables]
    places = list(zip(games, tokens, strict=True))

    watching = await _open(system, places * LISTENERS_PER_TABLE, arrived)
    before = meter.read(system.data)
    timings = await load.offer(tables, OFFERED_PER_S, seconds)
    expected = timings.actions * LISTENERS_PER_TABLE
    deadline = time.perf_counter() + LAST_ARRIVALS_S
    while len(arrived) < expected and time.perf_counter() < deadline:
        await asyncio.sleep(0.05)
    heard = Heard(
        [at - sent[game, seq] for game, seq, at in arrived],
        expected,
        meter.read(system.data).since(before),
    )
    await asyncio.gather(*(listener.close() for listener in watching))

    idle = await _idle(system, places, seconds, listeners)
    for connection in connections:
        await connection.__aexit__(None, None, None)
    return heard, idle


async def _idle(system: Fresh, places: list[tuple[str, str]], seconds: float, listeners: int) -> Idle:
    before = meter.read(system.data)
    began = time.perf_counter()
    quiet = [places[number % len(places)] for number in range(listeners)]
    # Nothing is missed by a listener that comes after everything.
    waiting = await _open(system, quiet, [], after=await _versions(system, places))
    opened_s = time.perf_counter() - began
    start = meter.read(system.data)
    began = time.perf_counter()
    await asyncio.sleep(seconds)
    elapsed_s = time.perf_counter() - began
    end = meter.read(system.data)
    still_open = sum(listener.is_open for listener in waiting)
    await asyncio.gather(*(listener.close() for listener in waiting))
    used = end.since(start)
    return Idle(
        listeners,
        opened_s,
        still_open,
        {part: used[part] / elapsed_s for part in PARTS},
        before.pss_mib,
        end.pss_mib,
    )


async def _open(
    system: Fresh,
    places: list[tuple[str, str]],
    arrived: list[tuple[str, int, float]],
    after: dict[str, int] | None = None,
) -> list[Listener]:
    places_left = asyncio.Semaphore(AT_ONCE)

    async def opened(game: str, token: str) -> Listener:
        listener = Listener(game, lambda *what: arrived.append(what))
        async with places_left:
            await listener.open(HOST, system.port, token, (after or {}).get(game, 0))
        return listener

    return await asyncio.gather(*(opened(game, token) for game, token in places))


async def _versions(system: Fresh, places: list[tuple[str, str]]) -> dict[str, int]:
    found = {}
    for game, token in places:
        async with Connection(HOST, system.port, token) as connection:
            _, document = await connection.call("GET", f"/v1/games/{game}")
        found[game] = int(document["version"])
    return found


def report_of(heard: Heard, idle: Idle) -> str:
    """The table for the document."""
    streams = TABLES * LISTENERS_PER_TABLE
    lines = [
        f"{TABLES} tables with {LISTENERS_PER_TABLE} listeners each ({streams} streams) under"
        f" {OFFERED_PER_S:.0f} plays/s: {len(heard.seconds)} of {heard.expected} entries arrived;"
        " times count from sending the play.",
        "",
        "| entry to listener | p50 ms | p99 ms | longest ms |",
        "|---|---|---|---|",
        f"| through the gateway | {percentile_ms(heard.seconds, 0.5):.1f}"
        f" | {percentile_ms(heard.seconds, 0.99):.1f} | {max(heard.seconds) * 1000:.1f} |",
        "",
        f"{idle.listeners} idle listeners on one live process, opened in {idle.opened_s:.1f} s,"
        f" {idle.still_open} of them still open at the end:",
        "",
        "| part | share of a core | PSS MiB before | with them | CPU s per 1000 plays heard |",
        "|---|---|---|---|---|",
    ]
    plays = heard.expected / LISTENERS_PER_TABLE
    lines += [
        f"| {part} | {idle.core_share[part]:.3f} | {idle.before_mib[part]:.0f} | {idle.after_mib[part]:.0f}"
        f" | {heard.cpu_s[part] / plays * 1000:.2f} |"
        for part in PARTS
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
