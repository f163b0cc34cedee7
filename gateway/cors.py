"""Scripts from any origin may use the API, with a token in a header and never with cookies."""

from collections.abc import Iterable

from gateway.headers import FORWARDED, Headers

ORIGIN = ("Access-Control-Allow-Origin", "*")
EXPOSED = (
    "Access-Control-Expose-Headers",
    "Allow, Content-Language, ETag, Link, Location, Retry-After, WWW-Authenticate, X-Request-Id",
)
_ASKED_FOR = ", ".join(sorted({*FORWARDED.values(), "Content-Type", "traceparent", "X-Request-Id"}))
_REMEMBERED_S = "7200"


def allow(methods: Iterable[str]) -> str:
    """The value of `Allow` for an address that takes `methods`."""
    return ", ".join(sorted({*methods, "OPTIONS"}))


def preflight(methods: Iterable[str]) -> Headers:
    """The headers that answer OPTIONS for an address that takes `methods`."""
    allowed = allow(methods)
    return [
        ("Allow", allowed),
        ("Access-Control-Allow-Methods", allowed),
        ("Access-Control-Allow-Headers", _ASKED_FOR),
        ("Access-Control-Max-Age", _REMEMBERED_S),
    ]
