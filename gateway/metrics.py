"""What the gateway measures about itself, and the port on which only operators read it.

What the gateway adds to a request is `ninety8_gateway_request_seconds` less `ninety8_gateway_asked_seconds`.
"""

import errno
from functools import cache

import structlog
from prometheus_client import Counter, Histogram, start_http_server

from shared.observability.metrics import registry

log = structlog.get_logger(__name__)
_SECONDS = Histogram(
    "ninety8_gateway_request_seconds",
    "Seconds from request to the beginning of the answer, by name of the route and status",
    ["route", "status"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
_ASKED = Counter("ninety8_gateway_asked_seconds", "Seconds spent waiting for a service", ["to"])
_REPEATED = Counter("ninety8_gateway_repeated", "Requests sent to a service once more", ["to"])


@cache
def _seconds(route: str, status: int) -> Histogram:
    return _SECONDS.labels(route, str(status))


@cache
def _asked(service: str) -> Counter:
    return _ASKED.labels(service)


def answered(route: str, status: int, seconds: float) -> None:
    """A request to `route` was answered."""
    _seconds(route, status).observe(seconds)


def asked(service: str, seconds: float) -> None:
    """`service` took `seconds` to answer."""
    _asked(service).inc(seconds)


def repeated(service: str) -> None:
    """A request to `service` is about to be sent once more."""
    _REPEATED.labels(service).inc()


def serve(host: str, port: int) -> None:
    """Serve `/metrics` at `host` and `port` from a thread; of several workers the first one does."""
    try:
        start_http_server(port, host, registry())
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        log.info("metrics_served_elsewhere", port=port)
