"""The composition root of sessions: every process of the service is put together here."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

from celery import Celery
from flask import Flask
from sqlalchemy import Engine

from services.sessions import settings
from services.sessions.adapters.players import Players
from services.sessions.adapters.rules import Rules
from services.sessions.application import people
from services.sessions.application.access import Rights
from services.sessions.application.branching import Branching
from services.sessions.application.conflicts import Conflicts
from services.sessions.application.corrections import Corrections
from services.sessions.application.counting import Counting
from services.sessions.application.decisions import Decisions
from services.sessions.application.exports import AT_ONCE, Exports
from services.sessions.application.games import Games
from services.sessions.application.invitations import Invitations
from services.sessions.application.parked import Parking
from services.sessions.application.people import People
from services.sessions.application.play import Play
from services.sessions.application.rebuilding import Progress, Rebuild
from services.sessions.application.reconcile import Reconcile
from services.sessions.application.recording import Recorder
from services.sessions.application.reopening import Reopening
from services.sessions.application.sharing import Sharing
from services.sessions.application.statistics import Statistics
from services.sessions.application.sync import Sync
from services.sessions.entrypoints import asking, http, tasks
from services.sessions.entrypoints.routes import conflicts, corrections, invitations, results, stats, sync
from shared.bus import outbox
from shared.bus.consumer import Consumer
from shared.bus.relay import Relay
from shared.bus.requests import Requests
from shared.storage import migrate
from shared.storage.engine import open_engine
from shared.web import bearer
from shared.web.app import Check, create_app
from shared.web.tokens import Verifier, fetch_from

MIGRATIONS = Path(__file__).parent / "migrations"
SERVICE = "sessions"
TRANSACTIONS = 4  # connections beside the pool, for what takes more than one statement; exports have theirs
RULES_REQUESTS, ACCOUNTS_REQUESTS = "rules.requests", "accounts.requests"
ACCOUNTS_EVENTS, SESSIONS_EVENTS = "accounts.events", "sessions.events"


@dataclass(frozen=True, slots=True)
class Web:
    """What the web app works with; `statements` is in autocommit mode, `transactions` is not."""

    transactions: Engine
    statements: Engine
    rules: Rules
    players: Players
    verifier: Verifier
    public_url: str
    now: Callable[[], datetime] = lambda: datetime.now(UTC)


def web_app(config: settings.Settings | None = None) -> Flask:
    """The web app; nothing is connected before the first request."""
    config = config or settings.read()
    statements = open_engine(
        config.database_url, pool_size=config.pool_size, name=f"{SERVICE}-web", autocommit=True
    )
    return app_of(
        Web(
            _engine(config, TRANSACTIONS + AT_ONCE, "web"),
            statements,
            Rules(Requests(config.redis_url, RULES_REQUESTS, SERVICE)),
            Players(Requests(config.redis_url, ACCOUNTS_REQUESTS, SERVICE)),
            Verifier(fetch_from(config.jwks_url), config.token_issuer, config.token_audience),
            config.public_url,
        )
    )


def app_of(web: Web) -> Flask:
    """The web app around what it works with."""
    known = People(web.statements)
    verified = partial(bearer.verified, web.verifier, known.denied)
    rights = Rights(web.statements, verified, known.plan, known.told_plan, now=web.now)
    games = Games(web.transactions, web.statements, web.rules, web.players, now=web.now)
    recorder = Recorder(web.statements, web.transactions, web.rules, now=web.now)
    play = Play(recorder)
    syncing = Sync(recorder, play, Branching(web.transactions, web.statements))
    reconcile = Reconcile(web.transactions, web.statements, web.rules, play, now=web.now)
    conflict_routes = conflicts.blueprint(
        Conflicts(web.statements),
        Decisions(web.transactions, web.statements, web.rules, play, reconcile, now=web.now),
        Reopening(web.transactions, web.statements, web.rules, now=web.now),
    )
    inviting = Invitations(web.transactions, web.statements, known.plan, now=web.now)
    sharing = Sharing(web.transactions, web.statements, now=web.now)
    app = create_app(
        SERVICE,
        "Sessions",
        [
            http.blueprint(games, play),
            invitations.blueprint(inviting, sharing, rights, web.public_url),
            sync.blueprint(syncing, Parking(web.statements)),
            corrections.blueprint(Corrections(web.statements, play)),
            conflict_routes,
            stats.blueprint(Statistics(web.statements)),
            results.blueprint(Exports(web.transactions, web.statements)),
        ],
        [
            Check("database", lambda: migrate.is_current(web.statements, MIGRATIONS)),
            Check("keys", lambda: web.verifier.ready),
        ],
    )
    asking.install(app, rights)
    return app


def relay(config: settings.Settings, stop: threading.Event) -> None:
    """Publish the outbox until `stop`."""
    Relay(_engine(config, 2, "relay"), config.redis_url, SESSIONS_EVENTS, f"/{SERVICE}").run(stop)


def republish(config: settings.Settings, since: datetime) -> int:
    """Have the relay publish what happened since `since` again; returns how many events that is."""
    with _engine(config, 1, "republish").begin() as connection:
        return outbox.republish(connection, since)


def consumers(config: settings.Settings) -> tuple[Consumer, Consumer]:
    """One follows the events of accounts, the other starts the jobs that our own events ask for."""
    engine = _engine(config, 2, "consume")
    players = Players(Requests(config.redis_url, ACCOUNTS_REQUESTS, SERVICE))
    # Replicas share a group under names of their own; what each does bears any order.
    host = socket.gethostname()
    follow = Consumer(
        engine,
        config.redis_url,
        ACCOUNTS_EVENTS,
        SERVICE,
        people.handlers(players),
        name=f"{SERVICE}-{host}",
    )
    start_jobs = Consumer(
        engine,
        config.redis_url,
        SESSIONS_EVENTS,
        "jobs",
        tasks.starters(jobs(config)),
        name=f"jobs-{host}",
    )
    return follow, start_jobs


def jobs(config: settings.Settings) -> Celery:
    """The Celery app; the role that may delete is only known to the worker."""
    return tasks.celery_app(
        config.broker_url,
        lambda: open_engine(config.purge_database_url, pool_size=1, name="sessions-purge"),
        partial(reconciling, config),
        # Made in the worker's child process, which keeps it: there is something to count every few seconds.
        cache(partial(counting, config)),
        config.sweep_every,
        config.bin_kept,
    )


@contextmanager
def reconciling(config: settings.Settings) -> Iterator[Reconcile]:
    """The job that reconciles, on connections of its own."""
    with ExitStack() as stack:
        engine = _engine(config, 2, "reconcile")
        stack.callback(engine.dispose)
        reader = engine.execution_options(isolation_level="AUTOCOMMIT")
        requests = Requests(config.redis_url, RULES_REQUESTS, SERVICE)
        stack.callback(requests.close)
        rules = Rules(requests)
        yield Reconcile(engine, reader, rules, Play(Recorder(reader, engine, rules)))


def counting(config: settings.Settings) -> Counting:
    """The job that counts finished games; it keeps its connections."""
    engine = _engine(config, 2, "results")
    reader = engine.execution_options(isolation_level="AUTOCOMMIT")
    return Counting(engine, reader, Rules(Requests(config.redis_url, RULES_REQUESTS, SERVICE)))


def rebuild(config: settings.Settings, tell: Callable[[Progress], None]) -> Progress:
    """Count everything anew; `tell` hears how far it is."""
    engine = _engine(config, 1, "rebuild")
    return Rebuild(engine, counting(config)).run(tell)


def upgrade(config: settings.Settings) -> str:
    """Bring the database up to date as its owner; returns the revision."""
    return migrate.upgrade(open_engine(config.owner_database_url, pool_size=1), MIGRATIONS)


def _engine(config: settings.Settings, pool_size: int, part: str) -> Engine:
    return open_engine(config.database_url, pool_size=pool_size, name=f"{SERVICE}-{part}")
