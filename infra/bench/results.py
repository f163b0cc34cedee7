"""`python -m infra.bench.results`: statistics and exports of a million finished games, and counting them."""

import json
import statistics
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path
from uuid import uuid4

import click
import urllib3

from infra.bench import meter, results_rows
from infra.bench.fresh import HOST, Fresh, fresh_system
from infra.bench.load import PASSWORD
from infra.bench.report import RESULTS, write_into_docs

GROUPINGS = ("players", "difficulty", "reduced_hand", "month", "player")
GOAL_MS = 50.0
FIRST_DAY, LAST_DAY = date(2023, 2, 10), date(2025, 11, 20)  # inside months
ASKED = 7
FORMATS = {
    "CSV": "text/csv",
    "NDJSON": "application/x-ndjson",
    "Parquet": "application/vnd.apache.parquet",
}
PARTS = ("sessions-web", "gateway-web")
ENTRIES = 100
COUNT_TIMEOUT_S = 300.0


@dataclass(frozen=True, slots=True)
class Person:
    """Whose games they are: an account, and how it asks through the gateway."""

    account_id: str
    token: str
    port: int

    def ask(self, path: str, accept: str = "application/json") -> urllib3.BaseHTTPResponse:
        """An answer that has begun; raises `RuntimeError` when it is not a 200."""
        answer = urllib3.request(
            "GET",
            f"http://{HOST}:{self.port}{path}",
            headers={"Authorization": f"Bearer {self.token}", "Accept": accept},
            preload_content=False,
            retries=False,
            timeout=120,
        )
        if answer.status != 200:
            raise RuntimeError(f"{path} answered {answer.status}: {answer.data!r}")
        return answer


@dataclass(frozen=True, slots=True)
class Asked:
    """Games grouped `by`: milliseconds to the answer over all time, computed, and given again as it is kept;
    and, at the median, computed over days of several ranges, none of which was asked for before.
    """

    by: str
    groups: int
    computed_ms: float
    kept_ms: float
    range_ms: float


@dataclass(frozen=True, slots=True)
class Taken:
    """One export: its size, and memory of the parts before it and at most meanwhile, PSS in MiB."""

    name: str
    seconds: float
    size: int
    before_mib: dict[str, float]
    most_mib: dict[str, float]


@click.command()
@click.option("--rows", default=1_000_000, show_default=True, help="Results in the ledger.")
@click.option("--games", default=10_000, show_default=True, help="Finished games to be counted.")
@click.option("--write/--no-write", default=True, help="Write the table into infra/docs/performance.md.")
def main(rows: int, games: int, write: bool) -> None:
    """Measure results against a fresh embedded start on loopback."""
    if not 1_000 <= rows <= 2_000_000 or not 100 <= games <= 100_000:
        raise click.BadParameter("1,000 to 2,000,000 rows, 100 to 100,000 games")
    with fresh_system() as system:
        database = _administrator(system.data)
        person = _sign_up(system.port)
        began = time.perf_counter()
        results_rows.fill_ledger(database, person.account_id, rows)
        click.echo(f"{rows} results made in {time.perf_counter() - began:.0f} s", err=True)
        asked = list(_asked(person))
        taken = [_taken(system, person, name) for name in FORMATS]
        rate = _counting_rate(database, games)
    report = report_of(rows, asked, taken, games, rate)
    click.echo(report)
    if write:
        write_into_docs(report, RESULTS)


def _administrator(data: Path) -> str:
    """The database of sessions by its server's administrator."""
    environment = json.loads((data / "run" / "environment.json").read_text(encoding="utf-8"))
    password = json.loads((data / "secrets.json").read_text(encoding="utf-8"))["postgres.postgres"]
    address = environment["SESSIONS_DATABASE_URL"].rpartition("@")[2]
    return f"postgresql://postgres:{password}@{address}"


def _sign_up(port: int) -> Person:
    body = {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}
    answer = urllib3.request("POST", f"http://{HOST}:{port}/v1/accounts", json=body)
    if answer.status != 201:
        raise RuntimeError(f"sign-up answered {answer.status}: {answer.data!r}")
    document = answer.json()
    return Person(document["account"]["id"], document["access_token"], port)


def _asked(person: Person) -> Iterator[Asked]:
    """Every combination of groupings."""
    _timed(person, "players=1")  # connections, prepared statements
    for count in range(len(GROUPINGS) + 1):
        for by in map(",".join, combinations(GROUPINGS, count)):
            grouped = f"by={by}&" if by else ""
            computed_ms, answer = _timed(person, grouped)
            kept_ms = statistics.median(_timed(person, grouped)[0] for _ in range(ASKED))
            ranges = (
                f"{grouped}from={FIRST_DAY + timedelta(days)}&to={LAST_DAY - timedelta(days)}"
                for days in range(ASKED)
            )
            range_ms = statistics.median(_timed(person, query)[0] for query in ranges)
            yield Asked(by, len(json.loads(answer)["items"]), computed_ms, kept_ms, range_ms)


def _timed(person: Person, query: str) -> tuple[float, bytes]:
    began = time.perf_counter()
    answer = person.ask(f"/v1/stats?{query}").data
    return (time.perf_counter() - began) * 1000, answer


def _taken(system: Fresh, person: Person, name: str) -> Taken:
    before = meter.read(system.data).pss_mib
    with _watched(system) as most:
        began = time.perf_counter()
        size = sum(map(len, person.ask("/v1/results", FORMATS[name]).stream(2**18)))
        seconds = time.perf_counter() - began
    return Taken(name, seconds, size, before, most)


@contextmanager
def _watched(system: Fresh) -> Iterator[dict[str, float]]:
    """The most memory that each of `PARTS` takes meanwhile, PSS in MiB."""
    most = dict.fromkeys(PARTS, 0.0)
    over = threading.Event()

    def watch() -> None:
        while not over.wait(1.0):
            now = meter.read(system.data).pss_mib
            for part in PARTS:
                most[part] = max(most[part], now[part])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        over.set()
        watcher.join()


def _counting_rate(database: str, games: int) -> float:
    """Games counted per second by the running worker, from the first to the last; raises `RuntimeError`."""
    results_rows.finish_games(database, games, ENTRIES)
    began = time.perf_counter()
    deadline = began + COUNT_TIMEOUT_S
    while (left := results_rows.due(database)) and time.perf_counter() < deadline:
        if left == games:  # the worker has not looked yet
            began = time.perf_counter()
        time.sleep(0.1)
    if left:
        raise RuntimeError(f"{left} of {games} games were not counted")
    return games / (time.perf_counter() - began)


def report_of(rows: int, asked: list[Asked], taken: list[Taken], games: int, rate: float) -> str:
    """The table for the document."""

    def within(times: Iterable[float]) -> str:
        return f"{sum(one <= GOAL_MS for one in times)} of {len(asked)}"

    lines = [
        f"One account with {rows:,} results over {results_rows.YEARS} years and {results_rows.SAVED_PLAYERS}"
        f" saved players. `GET /v1/stats` through the gateway within {GOAL_MS:.0f} ms, of all"
        f" combinations of groupings: {within(one.kept_ms for one in asked)} asked again (p50 of {ASKED}),"
        f" {within(one.computed_ms for one in asked)} computed over all time (the one time that it is),"
        f" {within(one.range_ms for one in asked)} computed over a range of days (p50 of {ASKED}).",
        "",
        "| grouped by | groups | asked again, ms | computed, ms | computed over days, ms |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.by.replace(',', ', ') or 'nothing'} | {one.groups} | {one.kept_ms:.1f}"
        f" | {one.computed_ms:.1f} | {one.range_ms:.1f} |"
        for one in asked
        if one.by.count(",") in (0, len(GROUPINGS) - 1) or one.by == ",".join(GROUPINGS[:3])
    ]
    lines += [
        "",
        "| export of all through the gateway | rows/s | MB | "
        + " | ".join(f"{part} MiB before, most" for part in PARTS)
        + " |",
        "|---|---|---|" + "---|" * len(PARTS),
    ]
    for one in taken:
        memory = " | ".join(f"{one.before_mib[part]:.0f}, {one.most_mib[part]:.0f}" for part in PARTS)
        lines.append(f"| {one.name} | {rows / one.seconds:,.0f} | {one.size / 1e6:.0f} | {memory} |")
    lines += [
        "",
        f"{games:,} finished games of 200 accounts, {ENTRIES} entries each, due at once: {rate:.0f} games"
        " counted per second by one worker.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
