"""`/live` and `/ready`: whether this process runs, and whether everything behind it does."""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import orjson
from flask import Blueprint, Response
from redis import Redis
from redis.exceptions import RedisError
from urllib3.exceptions import HTTPError
from urllib3.util import Timeout

from gateway.connections import Pool
from shared.web import encoding

TIMEOUT_S = 1.0
FRESH_S = 0.0625  # how long what was found is answered: a flood asks the parts sixteen times a second
STALE_S = 5.0  # and how long while it is being looked at again


@dataclass(frozen=True, slots=True)
class State:
    """Whether a part is ready, and what it says about what it needs itself."""

    ready: bool
    checks: dict[str, Any] = field(default_factory=dict)


Probe = Callable[[], State]


def service_probe(pool: Pool) -> Probe:
    """Asks a service's own `/ready`."""

    def probe() -> State:
        try:
            answer = pool.urlopen(
                "GET",
                "/ready",
                retries=False,
                redirect=False,
                timeout=Timeout(connect=TIMEOUT_S, read=TIMEOUT_S),
                pool_timeout=1,
            )
            document = orjson.loads(answer.data)
        except (HTTPError, ValueError):
            return State(False)
        checks = document.get("checks") if isinstance(document, dict) else None
        return State(answer.status == 200, checks if isinstance(checks, dict) else {})

    return probe


def redis_probe(redis: Redis) -> Probe:
    """Asks Redis for a sign of life."""

    def probe() -> State:
        try:
            return State(bool(redis.ping()))
        except RedisError:
            return State(False)

    return probe


class Readiness:
    """What all `probes` found last, looked at again when asked: one look at a time, whoever asks.

    The probes of one look run at the same time, so the slowest decides how long it takes.
    """

    def __init__(self, probes: Mapping[str, Probe], clock: Callable[[], float] = time.monotonic) -> None:
        self._probes = probes
        self._clock = clock
        self._threads = ThreadPoolExecutor(max_workers=len(probes), thread_name_prefix="ready")
        self._lock = threading.Lock()
        self._found: dict[str, State] = {}
        self._found_at = float("-inf")

    def states(self) -> dict[str, State]:
        """The state of each part, at most `STALE_S` seconds old; nobody waits for somebody else's look while
        there is one.
        """
        if self._age_s() >= FRESH_S and self._lock.acquire(blocking=self._age_s() >= STALE_S):
            try:
                if self._age_s() >= FRESH_S:
                    found = self._threads.map(lambda probe: probe(), self._probes.values())
                    self._found = dict(zip(self._probes, found, strict=True))
                    self._found_at = self._clock()
            finally:
                self._lock.release()
        return self._found

    def _age_s(self) -> float:
        return self._clock() - self._found_at


def blueprint(probes: Mapping[str, Probe]) -> Blueprint:
    """The pages; a flood of `/ready` asks the parts behind one look at a time."""
    pages = Blueprint("operation", __name__)
    readiness = Readiness(probes)

    @pages.get("/live")
    def live() -> dict[str, str]:
        return {"status": "live"}

    @pages.get("/ready")
    def ready() -> Response:
        states = readiness.states()
        complete = all(state.ready for state in states.values())
        document = {
            "status": "ready" if complete else "not ready",
            "checks": {name: state.ready for name, state in states.items()},
            "behind": {name: state.checks for name, state in states.items() if state.checks},
        }
        answer = Response(encoding.dumps(document), 200 if complete else 503, content_type="application/json")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    return pages
