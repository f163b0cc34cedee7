"""What can be set about the live process, read from the environment."""

from dataclasses import dataclass

from environs import Env
from marshmallow.validate import Range

from shared.settings import Reader

PORT = 8104
STREAMS = 5_000
STREAMS_PER_BEARER = 500


@dataclass(frozen=True, slots=True)
class Settings:
    """Addresses behind the live process and how many streams it holds, in all and for one bearer."""

    sessions_url: str
    redis_url: str
    host: str
    port: int
    streams: int
    streams_per_bearer: int


def read(env: Env | None = None) -> Settings:
    """The settings of this process; raises `environs.EnvError` naming what is missing or malformed."""
    env = env or Reader()
    positive = Range(min=1)
    return Settings(
        sessions_url=env.str("GATEWAY_SESSIONS_URL"),
        redis_url=env.str("GATEWAY_REDIS_URL"),
        host=env.str("HOST", "127.0.0.1"),
        port=env.int("PORT", PORT, validate=Range(min=0, max=65_535)),
        streams=env.int("LIVE_STREAMS", STREAMS, validate=positive),
        streams_per_bearer=env.int("LIVE_STREAMS_PER_BEARER", STREAMS_PER_BEARER, validate=positive),
    )
