"""Sessions as its tests see it: use cases on the real database, and what they leave there."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

import redis
from sqlalchemy import Connection, Engine, text

from infra.host.postgres import ADMINISTRATOR
from infra.host.valkey import ValkeyServer
from services.sessions.adapters.players import Players
from services.sessions.adapters.rules import Rules
from services.sessions.application import people
from services.sessions.application.games import Games, SeatRequest
from services.sessions.application.people import People
from services.sessions.application.play import Answer, Play, Sender, Sent
from services.sessions.application.recording import Recorder
from services.sessions.bootstrap import ACCOUNTS_EVENTS, ACCOUNTS_REQUESTS
from services.sessions.domain.game import Game
from services.sessions.domain.log import By
from shared.bus.consumer import Consumer
from shared.bus.events import Event
from shared.bus.requests import Requests
from shared.contracts.actions import normal
from shared.storage.engine import open_engine
from shared.storage.ids import new_id
from tests.support.api import Json
from tests.support.embedded import Urls
from tests.support.waiting import until

Clock = Callable[[], datetime]
LONG_AGO = timedelta(days=31)


def now() -> datetime:
    return datetime.now(UTC)


class World:
    """One database and one Redis; whatever is opened here is closed with `stack`."""

    def __init__(self, urls: Urls, valkey: ValkeyServer, rules: Requests, stack: ExitStack) -> None:
        self.urls = urls
        self.valkey = valkey
        self.rules = Rules(rules)
        self._stack = stack

    def engine(self, role: str, *, autocommit: bool = False) -> Engine:
        name = f"test-{role}"
        engine = open_engine(self.urls[role], pool_size=16, name=name, autocommit=autocommit)
        self._stack.callback(engine.dispose)
        return engine

    @cached_property
    def web(self) -> Engine:
        """As the web process connects."""
        return self.engine("sessions")

    @cached_property
    def statements(self) -> Engine:
        """As the web process connects for plays."""
        return self.engine("sessions", autocommit=True)

    @cached_property
    def purge(self) -> Engine:
        """As the worker connects to delete."""
        return self.engine("sessions_purge")

    @cached_property
    def owner(self) -> Engine:
        """Who may do all in this database: for what no part of the service does."""
        return self.engine("sessions_owner")

    @cached_property
    def administrator(self) -> Engine:
        """Who sees what everybody does."""
        return self.engine(ADMINISTRATOR)

    @cached_property
    def players(self) -> Players:
        requests = Requests(self.valkey.url("sessions"), ACCOUNTS_REQUESTS, "sessions")
        self._stack.callback(requests.close)
        return Players(requests)

    @cached_property
    def redis(self) -> Any:
        """The administrator's client."""
        client = redis.Redis.from_url(self.valkey.url("administrator"), protocol=2, legacy_responses=False)
        self._stack.callback(client.close)
        return client

    def games(self, clock: Clock = now) -> Games:
        return Games(self.web, self.statements, self.rules, self.players, now=clock)

    def play(self) -> Play:
        """Another one is another process: it shares no lock with the first."""
        return Play(Recorder(self.statements, self.web, self.rules))

    def consumer(self) -> Consumer:
        """What follows the events of accounts."""
        handlers = people.handlers(self.players)
        return Consumer(self.web, self.valkey.url("sessions"), ACCOUNTS_EVENTS, "sessions", handlers)

    def people(self) -> People:
        """Remembers nothing: each question asks the database."""
        return People(self.statements, clock=iter(range(10**9)).__next__)

    def new_game(
        self,
        account_id: UUID | None = None,
        players: int = 2,
        clock: Clock = now,
        options: Json | None = None,
    ) -> "Table":
        places = [SeatRequest(name=f"Player {number}") for number in range(players)]
        account_id = account_id or uuid4()
        request = {"players": players}
        game = self.games(clock).create(account_id, request, "the-game", options or {}, places, None)
        return Table(self, account_id, game.id)

    def game_of(self, account_id: UUID, players: list[UUID]) -> "Table":
        """A game in which saved players sit."""
        places = [SeatRequest(player_id) for player_id in players]
        game = self.games().create(account_id, {}, "the-game", {}, places, None)
        return Table(self, account_id, game.id)

    def rows(self, statement: str, **values: Any) -> list[Any]:
        """What a query finds, whoever may see it."""
        with self.owner.begin() as connection:
            return list(connection.execute(text(statement), values))

    def count(self, table: str, game_id: UUID) -> int:
        """How many rows of `table` belong to the game."""
        column = {"games": "id", "outbox": "subject"}.get(table, "game_id")
        (row,) = self.rows(f"SELECT count(*) FROM {table} WHERE {column} = '{game_id}'")
        return int(row[0])

    def events(self, game_id: UUID) -> list[Any]:
        """What is told of the game, in order: rows of the outbox."""
        return self.rows("SELECT * FROM outbox WHERE subject = :id ORDER BY id", id=str(game_id))

    def hear(self, kind: str, account_id: UUID, **data: Any) -> Event:
        """Put an event of accounts on its stream."""
        told = {"account_id": str(account_id), **data}
        event = Event(new_id(), kind, "/accounts", str(account_id), now(), told)
        self.redis.xadd(ACCOUNTS_EVENTS, {"event": event.to_json()})
        return event

    def is_handled(self, event: Event) -> bool:
        """Whether the event has had its effect."""
        found = self.rows("SELECT FROM inbox WHERE consumer = 'sessions' AND event_id = :id", id=event.id)
        return bool(found)

    @contextmanager
    def held(self, statement: str, **values: Any) -> Iterator[Connection]:
        """The rows that a SELECT … FOR UPDATE locks, until the end or the connection's rollback."""
        with self.owner.connect() as connection:
            assert connection.execute(text(statement), values).all()
            yield connection
            connection.rollback()

    def waiting(self, application: str) -> list[int]:
        """The backends of connections of that name that wait for a lock."""
        waiting = text(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND application_name = :name"
        )
        with self.administrator.connect() as connection:
            return list(connection.execute(waiting, {"name": application}).scalars())


@dataclass(frozen=True, slots=True)
class Table:
    """One game with its account."""

    world: World
    account_id: UUID
    id: UUID

    def send(
        self,
        *actions: Json,
        expected: int | None = None,
        play: Play | None = None,
        device: str | None = None,
        guest_id: UUID | None = None,
    ) -> Answer:
        """Send as the owner, or as a guest who may record."""
        sent = [Sent(normal(action)) for action in actions]
        by = By(None if guest_id else self.account_id, guest_id, device)
        sender = Sender(self.account_id, by, is_owner=guest_id is None)
        return (play or self.world.play()).record(sender, self.id, sent, expected)

    @property
    def game(self) -> Game:
        return self.world.games().get(self.account_id, self.id)

    def log(self, after: int = 0, limit: int = 10_000, *, tables: bool = False) -> list[Json]:
        """The log as the API gives it."""
        found = self.world.games().log(self.account_id, self.id, after, limit, tables=tables)
        return [logged.document() for logged in found]

    @property
    def actions(self) -> list[Json]:
        return [entry["action"] for entry in self.log()]


def verdicts(answer: Answer) -> list[str]:
    return [outcome["verdict"] for outcome in answer.outcomes]


def seat_names(table: Table) -> list[str]:
    return [seat.name for seat in table.game.seats]


def eventually(condition: Callable[[], object], what: str = "") -> None:
    """Wait for what an event leads to."""
    until(condition, 30, what)
