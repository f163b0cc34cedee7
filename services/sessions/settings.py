"""The settings of sessions, from the environment."""

from dataclasses import dataclass
from datetime import timedelta

from environs import Env
from marshmallow.validate import Range

from shared.settings import Reader

FROM_ONE = Range(min=1)


@dataclass(frozen=True, slots=True)
class Settings:
    """What sessions needs to know of its surroundings; a part that lacks one of them says which."""

    database_url: str
    owner_database_url: str
    purge_database_url: str
    redis_url: str
    broker_url: str
    jwks_url: str
    token_issuer: str
    token_audience: str
    pool_size: int
    metrics_port: int | None
    sweep_every: timedelta
    bin_kept: timedelta
    worker_concurrency: int
    public_url: str


def read(env: Env | None = None) -> Settings:
    """The settings of this process; raises `environs.EnvError` naming what is wrong."""
    env = env or Reader()
    return Settings(
        database_url=env.str("SESSIONS_DATABASE_URL", ""),
        owner_database_url=env.str("SESSIONS_OWNER_DATABASE_URL", ""),
        purge_database_url=env.str("SESSIONS_PURGE_DATABASE_URL", ""),
        redis_url=env.str("SESSIONS_REDIS_URL", ""),
        broker_url=env.str("SESSIONS_BROKER_URL", ""),
        jwks_url=env.str("SESSIONS_JWKS_URL", ""),
        token_issuer=env.str("TOKEN_ISSUER", "ninety-eight"),
        token_audience=env.str("TOKEN_AUDIENCE", "ninety-eight"),
        pool_size=env.int("SESSIONS_POOL_SIZE", 16, validate=FROM_ONE),
        metrics_port=env.int("METRICS_PORT", None),
        sweep_every=timedelta(seconds=env.int("SESSIONS_SWEEP_EVERY_S", 600, validate=FROM_ONE)),
        bin_kept=timedelta(seconds=env.int("SESSIONS_BIN_KEPT_S", 30 * 24 * 3600, validate=FROM_ONE)),
        worker_concurrency=env.int("SESSIONS_WORKER_CONCURRENCY", 1, validate=FROM_ONE),
        public_url=env.str("PUBLIC_URL", "http://127.0.0.1:8098").rstrip("/"),
    )
