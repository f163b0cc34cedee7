"""Words of the tests that take finished games away."""

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import orjson
from sqlalchemy import text

from services.sessions.adapters.figure_tables import results
from services.sessions.application.counting import Counting
from tests.integration.sessions.served import Answer, Served
from tests.support.api import Json
from tests.support.results import CONFIRMED_AT, Finished, load, summary

CSV, NDJSON = "text/csv", "application/x-ndjson"
PARQUET = "application/vnd.apache.parquet"


@dataclass(frozen=True, slots=True)
class Taker:
    """Who asks for finished games: an account of their own, perhaps an operator."""

    served: Served
    account_id: UUID
    token: str

    def ask(self, query: str = "", path: str = "/v1/results", **headers: str) -> Answer:
        return self.served.call("GET", path + query, None, self.token, **headers)

    def take(self, media_type: str, query: str = "", path: str = "/v1/results") -> bytes:
        """The export as it comes."""
        answer = self.ask(query, path, Accept=media_type)
        assert answer.status_code == 200, answer.data
        assert answer.headers["Content-Type"].startswith(media_type)
        return answer.data

    def items(self, query: str = "", path: str = "/v1/results") -> list[Json]:
        """The first page."""
        answer = self.ask(query, path)
        assert answer.status_code == 200, answer.data
        return list(answer.json["items"])


def taker(served: Served, role: str | None = None) -> Taker:
    account_id = uuid4()
    return Taker(served, account_id, served.token(account_id, role=role)[0])


def counted(served: Served, games: Iterable[Finished]) -> list[Finished]:
    """Store finished games and have them counted; in the order of the list, newest first."""
    stored = list(games)
    world = served.world
    load(world.urls["sessions_owner"], stored)
    Counting(world.web, world.statements, world.rules).sweep()
    return sorted(stored, key=lambda game: (game.confirmed_at, game.id), reverse=True)


def some(account_id: UUID, count: int, at: datetime = CONFIRMED_AT, **changes: Any) -> list[Finished]:
    """Games of an account, a minute after one another, each with another number left."""
    return [
        Finished(account_id, summary(remaining=number % 99, **changes), at + timedelta(minutes=number))
        for number in range(count)
    ]


@contextmanager
def many(served: Served, account_id: UUID, count: int) -> Iterator[None]:
    """So many results of the account, without games behind them, for as long as it lasts."""
    counted(served, some(account_id, 1))
    alike = ", ".join(column.name for column in results.c if column.name != "game_id")
    made = f"INSERT INTO results (game_id, {alike}) SELECT gen_random_uuid(), {alike}"
    with served.world.owner.begin() as connection:
        connection.execute(
            text(f"{made} FROM results, generate_series(2, {count}) WHERE account_id = :id"),
            {"id": account_id},
        )
    yield
    with served.world.owner.begin() as connection:
        connection.execute(text("DELETE FROM results WHERE account_id = :id"), {"id": account_id})


def rows_of(data: bytes) -> list[dict[str, str]]:
    """The rows of a CSV as Python reads it."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def documents_of(data: bytes) -> list[Json]:
    """The documents of an NDJSON."""
    return [orjson.loads(line) for line in data.splitlines()]
