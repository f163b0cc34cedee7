"""What one HTTP request may look like, the same at the edge and behind it."""

import re
from urllib.parse import unquote_to_bytes

BODY_LIMIT = 262_144
REQUEST_ID = re.compile(r"[0-9A-Za-z-]{8,64}")
TRACEPARENT = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
DEVICE_CHARACTERS = 64


def device_name(header: bytes) -> str | None:
    """What the bytes of an `X-Device` header name: UTF-8, percent-encoded beyond ASCII; None for nothing.

    Headers carry only ASCII reliably and browsers refuse to send more; bytes sent as they are count too.
    Raises ValueError for what is longer than 64 characters or not printable.
    """
    plain = unquote_to_bytes(header)
    try:
        name = plain.decode("utf-8").strip()
    except UnicodeDecodeError:
        name = plain.decode("latin-1").strip()
    if len(name) > DEVICE_CHARACTERS or not name.isprintable():
        raise ValueError("not the name of a device")
    return name or None
