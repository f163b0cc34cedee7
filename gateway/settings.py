"""What can be set about the gateway, read from the environment."""

from dataclasses import dataclass

from shared.settings import Reader

PORT = 8098


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses behind the gateway, its limits, and how many proxies in front of it may be believed."""

    rules_url: str
    sessions_url: str
    accounts_url: str
    redis_url: str
    host: str
    metrics_port: int | None
    threads: int
    trusted_proxies: int
    requests_per_s: float
    requests_burst: int
    evaluations_per_s: float
    evaluations_burst: int


def read() -> Settings:
    """The settings of this process; raises `environs.EnvError` that names what is missing or malformed."""
    env = Reader()
    with env.prefixed("GATEWAY_"):
        addresses = {
            name: env.str(f"{name.upper()}_URL") for name in ("rules", "sessions", "accounts", "redis")
        }
        trusted_proxies = env.int("TRUSTED_PROXIES", 0)
        requests_per_s = env.float("REQUESTS_PER_S", 300)
        requests_burst = env.int("REQUESTS_BURST", 1000)
        evaluations_per_s = env.float("EVALUATIONS_PER_S", 50)
        evaluations_burst = env.int("EVALUATIONS_BURST", 200)
    return Settings(
        rules_url=addresses["rules"],
        sessions_url=addresses["sessions"],
        accounts_url=addresses["accounts"],
        redis_url=addresses["redis"],
        host=env.str("HOST", "127.0.0.1"),
        metrics_port=env.int("METRICS_PORT", None),
        threads=env.int("WEB_THREADS", 16),
        trusted_proxies=trusted_proxies,
        requests_per_s=requests_per_s,
        requests_burst=requests_burst,
        evaluations_per_s=evaluations_per_s,
        evaluations_burst=evaluations_burst,
    )
