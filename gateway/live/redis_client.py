"""Owns how the live process reaches Redis: like everybody else on the bus, but on its loop."""

from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from shared.bus.connections import CONNECT_TIMEOUT_S

ANSWER_S = 2.0

# redis-py types each answer as the union over all protocols and settings; ours are bytes.
Client = Any


def open_client(url: str, block_s: float = 0.0) -> Client:
    """A client that never repeats a command by itself; `block_s` is the longest read that waits.

    Its socket outlasts that read by a little only: silence beyond is a connection lost.
    """
    return Redis.from_url(
        url,
        protocol=2,
        legacy_responses=False,
        driver_info=None,
        retry=Retry(NoBackoff(), 0),
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        socket_timeout=block_s + ANSWER_S,
        socket_keepalive=True,
    )
