"""The body of a request: read whole, bounded, JSON by its label; refused here before a service sees it."""

from typing import Any

from shared.web.problems import Problem
from shared.web.wire import BODY_LIMIT

MEDIA_TYPE = "application/json"


def read(environ: dict[str, Any]) -> bytes | None:
    """The request's body, None when there is none.

    Raises `Problem`: `body_too_large`, `unsupported_media_type`, `malformed_body` when it ends too early.
    """
    length = environ.get("CONTENT_LENGTH") or "0"
    chunked = "HTTP_TRANSFER_ENCODING" in environ
    if length == "0" and not chunked:
        return None
    if not length.isdecimal() or int(length) > BODY_LIMIT:
        raise Problem("body_too_large")
    body: bytes = environ["wsgi.input"].read(BODY_LIMIT + 1)
    if len(body) > BODY_LIMIT:
        raise Problem("body_too_large")
    if not chunked and len(body) != int(length):
        raise Problem("malformed_body")
    if not body:
        return None
    media_type = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    if media_type != MEDIA_TYPE or environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise Problem("unsupported_media_type")
    return body
