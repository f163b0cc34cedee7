"""`/live` and `/ready`: whether this process runs, and whether everything behind it does."""

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


def blueprint(probes: Mapping[str, Probe]) -> Blueprint:
    """The pages; all `probes` run at the same time, so the slowest decides how long `/ready` takes."""
    pages = Blueprint("operation", __name__)
    threads = ThreadPoolExecutor(max_workers=2 * len(probes), thread_name_prefix="ready")

    @pages.get("/live")
    def live() -> dict[str, str]:
        return {"status": "live"}

    @pages.get("/ready")
    def ready() -> Response:
        states = dict(zip(probes, threads.map(lambda probe: probe(), probes.values()), strict=True))
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
