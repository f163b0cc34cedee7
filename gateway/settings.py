"""What can be set about the gateway, read from the environment."""

from dataclasses import dataclass

from environs import Env
from marshmallow.validate import Range

from shared.settings import Reader

PORT = 8098
THREADS = 64  # most of them wait for a service, so they cost little
GUESSES = 10  # codes that are none, per address
GUESSES_WITHIN_S = 900.0


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses behind the gateway, its limits, and how many proxies in front of it may be believed."""

    rules_url: str
    sessions_url: str
    accounts_url: str
    live_url: str
    redis_url: str
    host: str
    port: int
    metrics_port: int | None
    workers: int
    threads: int
    trusted_proxies: int
    requests_per_s: float
    requests_burst: int
    evaluations_per_s: float
    evaluations_burst: int
    guesses: int


def read(env: Env | None = None) -> Settings:
    """The settings of this process; raises `environs.EnvError` naming what is missing or malformed."""
    env = env or Reader()
    positive = Range(min=0, min_inclusive=False)
    return Settings(
        rules_url=env.str("GATEWAY_RULES_URL"),
        sessions_url=env.str("GATEWAY_SESSIONS_URL"),
        accounts_url=env.str("GATEWAY_ACCOUNTS_URL"),
        live_url=env.str("GATEWAY_LIVE_URL", "http://127.0.0.1:8104"),
        redis_url=env.str("GATEWAY_REDIS_URL"),
        host=env.str("HOST", "127.0.0.1"),
        port=env.int("PORT", PORT),
        metrics_port=env.int("METRICS_PORT", None),
        workers=env.int("WEB_WORKERS", 1, validate=Range(min=1)),
        threads=env.int("WEB_THREADS", THREADS, validate=Range(min=1)),
        trusted_proxies=env.int("GATEWAY_TRUSTED_PROXIES", 0, validate=Range(min=0)),
        requests_per_s=env.float("GATEWAY_REQUESTS_PER_S", 300, validate=positive),
        requests_burst=env.int("GATEWAY_REQUESTS_BURST", 1000, validate=Range(min=1)),
        evaluations_per_s=env.float("GATEWAY_EVALUATIONS_PER_S", 50, validate=positive),
        evaluations_burst=env.int("GATEWAY_EVALUATIONS_BURST", 200, validate=Range(min=1)),
        guesses=env.int("GATEWAY_GUESSES", GUESSES, validate=Range(min=1)),
    )
