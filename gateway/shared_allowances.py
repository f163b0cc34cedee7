"""Allowances that all gateways share through Redis, and each its own while Redis is away."""

import time
from collections.abc import Callable
from typing import cast

import structlog
from redis import Redis
from redis.exceptions import RedisError

from gateway.allowances import Allowances, Rate

TIMEOUT_S = 0.2
AWAY_S = 5.0  # how long Redis is left alone after it failed
# The same arithmetic as `Allowances.take`, by the clock of Redis, in microseconds.
TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local full_at = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + each
local wait = full_at - now - burst
if wait > 0.5 then return math.ceil(wait) end
if ARGV[3] == 'look' then return 0 end
redis.call('SET', KEYS[1], string.format('%.0f', full_at), 'PX', math.ceil((full_at - now) / 1000) + 1)
return 0
"""
log = structlog.get_logger(__name__)


class SharedAllowances:
    """`Allowances` by key in `redis`, under `prefix`."""

    def __init__(
        self, redis: Redis, prefix: str, rate: Rate, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._take = redis.register_script(TAKE)
        self._prefix = prefix
        self._rate_us = [1e6 / rate.per_s, 1e6 * rate.burst / rate.per_s]
        self._own = Allowances(rate, clock)
        self._clock = clock
        self._away_until = float("-inf")

    def take(self, key: str) -> float:
        """As `Allowances.take`; never raises for Redis' sake."""
        wait_s = self._asked(key, "take")
        return self._own.take(key) if wait_s is None else wait_s

    def wait_s(self, key: str) -> float:
        """As `Allowances.wait_s`; never raises for Redis' sake."""
        wait_s = self._asked(key, "look")
        return self._own.wait_s(key) if wait_s is None else wait_s

    def _asked(self, key: str, what: str) -> float | None:
        """What Redis says; None while it is away."""
        if self._clock() < self._away_until:
            return None
        try:
            return cast("int", self._take([f"{self._prefix}:{key}"], [*self._rate_us, what])) / 1e6
        except RedisError as error:
            self._away_until = self._clock() + AWAY_S
            log.warning("shared_allowances_unavailable", error=type(error).__name__)
            return None


def open_redis(url: str) -> Redis:
    """A client that fails within a moment rather than keep a request waiting, and repeats nothing."""
    return Redis.from_url(
        url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, health_check_interval=0
    )
