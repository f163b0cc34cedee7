"""The settings of rules, read once from the environment."""

from dataclasses import dataclass

from environs import Env

from shared.settings import Reader


@dataclass(frozen=True, slots=True)
class Settings:
    """What rules needs to know of its surroundings; the web process needs no Redis."""

    redis_url: str
    metrics_port: int | None


def read(env: Env | None = None) -> Settings:
    """The settings of this process; raises `environs.EnvError` naming what is wrong."""
    env = env or Reader()
    return Settings(
        redis_url=env.str("RULES_REDIS_URL", ""),
        metrics_port=env.int("METRICS_PORT", None),
    )
