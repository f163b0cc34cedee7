"""Who is asking, as far as the edge can tell: address, token, and the ids that follow the request inside."""

import re
from dataclasses import dataclass
from random import getrandbits
from typing import Any

from shared.storage.ids import new_id
from shared.web.wire import REQUEST_ID

_TRACEPARENT = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


@dataclass(frozen=True, slots=True)
class Visitor:
    """`credential` stands for the token without being it: equal for equal tokens, None without one."""

    request_id: str
    traceparent: str
    address: str
    credential: int | None


def visitor(environ: dict[str, Any], trusted_proxies: int) -> Visitor:
    """Who sends the request in `environ`, when `trusted_proxies` stand in front and tell the truth."""
    request_id = environ.get("HTTP_X_REQUEST_ID", "")
    traceparent = environ.get("HTTP_TRACEPARENT", "")
    authorization = environ.get("HTTP_AUTHORIZATION")
    return Visitor(
        request_id if REQUEST_ID.fullmatch(request_id) else str(new_id()),
        traceparent if _TRACEPARENT.fullmatch(traceparent) else _new_traceparent(),
        _address(environ, trusted_proxies),
        hash(authorization) if authorization else None,
    )


def _address(environ: dict[str, Any], trusted_proxies: int) -> str:
    """The address that the outermost trusted proxy saw; each appended the one before it."""
    peer: str = environ.get("REMOTE_ADDR") or ""
    if not trusted_proxies:
        return peer
    told = [part.strip() for part in environ.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    chain: list[str] = [*told, peer]
    return chain[max(0, len(chain) - 1 - trusted_proxies)]


def _new_traceparent() -> str:
    # Nobody guards anything with it, and `os.urandom` would cost two switches between threads.
    return f"00-{getrandbits(128) or 1:032x}-{getrandbits(64) or 1:016x}-01"
