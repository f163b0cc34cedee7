"""The composition root of accounts: every process of the service is put together here."""

import secrets
import threading
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from flask import Flask
from sqlalchemy import Engine

from services.accounts import settings
from services.accounts.adapters.hasher import Hasher
from services.accounts.adapters.keys import KeyFolder
from services.accounts.adapters.signer import Signer
from services.accounts.application import upkeep
from services.accounts.application.denial import denied
from services.accounts.application.parts import Parts, Policy
from services.accounts.domain.limits import Limit
from services.accounts.domain.moments import to_millisecond
from services.accounts.entrypoints import http, responder
from shared.bus import outbox
from shared.bus.relay import Relay
from shared.bus.responder import Responder
from shared.storage import migrate
from shared.storage.engine import open_engine
from shared.storage.ids import new_id
from shared.web import bearer
from shared.web.app import Check, create_app
from shared.web.tokens import Verifier

MIGRATIONS = Path(__file__).parent / "migrations"
SERVICE = "accounts"
EVENTS = "accounts.events"
REQUESTS = "accounts.requests"
HOUR_S = 3600


def web_app(config: settings.Settings | None = None) -> Flask:
    """The web app. It makes the first signing key; the database is connected at the first request."""
    config = config or settings.read()
    keys = key_folder(config)
    keys.ensure(time.time())
    return app_of(parts(config, keys), config)


def app_of(built: Parts, config: settings.Settings) -> Flask:
    """The web app around the service's parts."""
    signer = built.signer
    app = create_app(
        SERVICE,
        "Accounts",
        http.blueprints(built),
        [
            Check("database", lambda: migrate.is_current(built.engine, MIGRATIONS)),
            Check("keys", signer.is_ready),
        ],
    )
    http.map_faults(app)
    verifier = Verifier(
        signer.key_set, config.issuer, config.audience, clock=lambda: built.clock().timestamp()
    )
    bearer.install(app, verifier, denied(built.engine))
    return app


def parts(config: settings.Settings, keys: KeyFolder, part: str = "web") -> Parts:
    """What the use cases work with."""
    return Parts(
        engine=engine(config, config.pool_size, part),
        hasher=Hasher(
            memory_kib=config.argon2_memory_kib,
            passes=config.argon2_passes,
            lanes=config.argon2_lanes,
            slots=config.argon2_slots,
            wait_s=config.argon2_wait_s,
        ),
        signer=Signer(
            keys,
            issuer=config.issuer,
            audience=config.audience,
            token_s=config.access_token_s,
            clock=time.time,
        ),
        policy=policy(config),
        clock=now,
        new_id=new_id,
        random=secrets.token_bytes,
    )


def policy(config: settings.Settings) -> Policy:
    """The numbers an operator has set."""
    failures = partial(Limit, times=config.failed_sign_ins, window_s=config.failed_sign_ins_window_s)
    return Policy(
        refresh_life=timedelta(days=config.refresh_token_days),
        refresh_grace=timedelta(seconds=config.refresh_grace_s),
        sign_ups=Limit("sign_up", config.sign_ups_per_hour, HOUR_S),
        failed_sign_ins=failures("sign_in"),
        failed_passwords=failures("password"),
        failed_codes=failures("plus_code"),
    )


def key_folder(config: settings.Settings) -> KeyFolder:
    """The folder of signing keys."""
    return KeyFolder(
        config.keys_dir, publish_first_s=config.key_publish_first_s, token_s=config.access_token_s
    )


def relay(config: settings.Settings, stop: threading.Event) -> None:
    """Publish the outbox until `stop`."""
    Relay(engine(config, 2, "relay"), config.redis_url, EVENTS, f"/{SERVICE}").run(stop)


def republish(config: settings.Settings, since: datetime) -> int:
    """Have the relay publish what happened since `since` again; returns how many events that is."""
    with engine(config, 1, "republish").begin() as connection:
        return outbox.republish(connection, since)


def keep_up(config: settings.Settings, stop: threading.Event) -> None:
    """Forget what is no longer needed, until `stop`."""
    upkeep.run(engine(config, 1, "upkeep"), EVENTS, now, stop)


def respond(config: settings.Settings, stop: threading.Event) -> None:
    """Answer the requests of other services until `stop`."""
    reading = engine(config, 1, "respond").execution_options(isolation_level="AUTOCOMMIT")
    Responder(config.redis_url, REQUESTS, SERVICE, partial(responder.handle, reading)).run(stop)


def upgrade(config: settings.Settings) -> str:
    """Bring the database up to date as its owner; returns the revision."""
    return migrate.upgrade(open_engine(config.owner_database_url, pool_size=1), MIGRATIONS)


def engine(config: settings.Settings, pool_size: int, part: str) -> Engine:
    """An engine of the runtime role."""
    return open_engine(config.database_url, pool_size=pool_size, name=f"{SERVICE}-{part}")


def now() -> datetime:
    """The moment, to the millisecond."""
    return to_millisecond(datetime.now(UTC))
