"""The load: tables that play recorded games through the gateway, each waiting for its answers."""

import asyncio
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from infra.bench.connection import Connection

PASSWORD = "correct horse battery"  # noqa: S105 (of an account made for the measurement)
Json = dict[str, Any]


@dataclass(slots=True)
class Timings:
    """Seconds each request took, and how many actions they carried in all."""

    seconds: list[float] = field(default_factory=list)
    actions: int = 0
    elapsed_s: float = 0.0

    def percentile_ms(self, share: float) -> float:
        """The smallest time whose share of requests reaches `share`, in milliseconds."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000

    @property
    def rate(self) -> float:
        """Actions per second."""
        return self.actions / self.elapsed_s


async def sign_up(host: str, port: int) -> str:
    """The access token of a new account."""
    async with Connection(host, port) as connection:
        body = {"email": f"{uuid4().hex}@example.org", "password": PASSWORD}
        status, answer = await connection.call("POST", "/v1/accounts", body)
    if status != 201:
        raise RuntimeError(f"sign-up answered {status}: {answer}")
    return str(answer["access_token"])


def turns(recording: Json) -> list[list[Json]]:
    """The recorded actions, a turn each: plays, draw, end."""
    found: list[list[Json]] = [[]]
    for action in recording["actions"]:
        found[-1].append(action)
        if action["type"] == "end_turn":
            found.append([])
    return [turn for turn in found if turn]


class Table:
    """One game at a time, played as recorded, begun anew when it is over."""

    def __init__(
        self,
        connection: Connection,
        recording: Json,
        *,
        whole_turns: bool,
        heard: Callable[[str, int, float], None] | None = None,
    ) -> None:
        """`heard` is told, for each answer, the game, its version and when the request was sent."""
        self._connection = connection
        self._heard = heard
        self._recording = recording
        self._batches = turns(recording) if whole_turns else [[one] for one in recording["actions"]]
        self._game = ""
        self._rest: Iterator[list[Json]] = iter(())

    async def begin(self) -> str:
        """Start a new game; its id."""
        body = {
            "ruleset": "the-game",
            "options": self._recording["options"],
            "players": [{"name": name} for name in self._recording["players"]],
        }
        status, answer = await self._connection.call("POST", "/v1/games", body)
        if status != 201:
            raise RuntimeError(f"a new game answered {status}: {answer}")
        self._game = str(answer["id"])
        self._rest = iter(self._batches)
        return self._game

    async def send_next(self, timings: Timings) -> None:
        """Send the next batch and time it; a new game, when one is due, is not timed."""
        batch = next(self._rest, None)
        if batch is None:
            await self.begin()
            batch = next(self._rest)
        actions = [{**action, "id": str(uuid4())} for action in batch]
        began = time.perf_counter()
        status, answer = await self._connection.call(
            "POST", f"/v1/games/{self._game}/actions", {"actions": actions}
        )
        timings.seconds.append(time.perf_counter() - began)
        if status != 200:
            raise RuntimeError(f"a play answered {status}: {answer}")
        timings.actions += len(actions)
        if self._heard is not None:
            self._heard(self._game, answer["version"], began)


async def saturate(tables: Sequence[Table], duration_s: float) -> Timings:
    """Every table sends as soon as it has its answer, for `duration_s`."""
    timings = Timings()
    began = time.perf_counter()

    async def run(table: Table) -> None:
        while time.perf_counter() - began < duration_s:
            await table.send_next(timings)

    await asyncio.gather(*map(run, tables))
    timings.elapsed_s = time.perf_counter() - began
    return timings


async def offer(tables: Sequence[Table], per_s: float, duration_s: float) -> Timings:
    """`per_s` batches a second in an even stream over the tables, whether or not answers keep up.

    Times count from when a batch was due, so that a server that falls behind is not flattered.
    """
    timings = Timings()
    began = time.perf_counter()
    number = itertools.count()

    async def run(table: Table) -> None:
        while (due := began + next(number) / per_s) < began + duration_s:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await table.send_next(timings)
            timings.seconds[-1] = time.perf_counter() - due

    await asyncio.gather(*map(run, tables))
    timings.elapsed_s = time.perf_counter() - began
    return timings


async def read_repeatedly(connection: Connection, path: Callable[[], str], times: int) -> Timings:
    """GET the same path `times` times."""
    timings = Timings()
    began = time.perf_counter()
    for _ in range(times):
        started = time.perf_counter()
        status, answer = await connection.call("GET", path())
        timings.seconds.append(time.perf_counter() - started)
        if status != 200:
            raise RuntimeError(f"a read answered {status}: {answer}")
        timings.actions += 1
    timings.elapsed_s = time.perf_counter() - began
    return timings
