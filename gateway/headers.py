"""Which headers pass the gateway in either direction; all others stay outside or inside."""

from collections.abc import Iterable

from shared.web.problems import Problem

# Anything not here is dropped, so nobody outside can speak in the name of a proxy or a service.
FORWARDED = {
    "HTTP_ACCEPT": "Accept",
    "HTTP_ACCEPT_ENCODING": "Accept-Encoding",
    "HTTP_ACCEPT_LANGUAGE": "Accept-Language",
    "HTTP_AUTHORIZATION": "Authorization",
    "HTTP_IF_MATCH": "If-Match",
    "HTTP_IF_NONE_MATCH": "If-None-Match",
    "HTTP_LAST_EVENT_ID": "Last-Event-ID",
    "HTTP_TRACESTATE": "tracestate",
    "HTTP_USER_AGENT": "User-Agent",
    "HTTP_X_DEVICE": "X-Device",
}
LENGTH_LIMIT = 4096
# Without these a request would do something else than was asked for.
_NEVER_DROPPED = {key: FORWARDED[key] for key in ("HTTP_LAST_EVENT_ID", "HTTP_X_DEVICE")}
_KEPT_INSIDE = frozenset(
    {
        "connection",
        "date",
        "keep-alive",
        "proxy-authenticate",
        "proxy-connection",
        "server",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "x-request-id",
    }
)
_KEPT_INSIDE_PREFIXES = ("access-control-", "x-internal-", "x-account-")

Headers = list[tuple[str, str]]


def inward(environ: dict[str, str]) -> dict[str, str]:
    """The headers of a request that a service gets to see; one over 4,096 characters counts as absent.

    Raises `Problem` validation_failed where that would change what is asked for.
    """
    for key, name in _NEVER_DROPPED.items():
        if len(environ.get(key, "")) > LENGTH_LIMIT:
            raise Problem(
                "validation_failed", errors={"headers": {name: [f"Over {LENGTH_LIMIT} characters."]}}
            )
    return {
        name: value
        for key, name in FORWARDED.items()
        if (value := environ.get(key)) and len(value) <= LENGTH_LIMIT
    }


def outward(headers: Iterable[tuple[str, str]]) -> Headers:
    """The headers of a service's answer that a client gets to see."""
    return [
        (name, value)
        for name, value in headers
        if (lowered := name.lower()) not in _KEPT_INSIDE and not lowered.startswith(_KEPT_INSIDE_PREFIXES)
    ]
