"""Owns the bytes of the stream: Server-Sent Events, each frame made once for all who get it."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import orjson

RETRY_MS = 1_000
OPENING = b"retry: %d\n: the log from where you are, then what comes\n\n" % RETRY_MS
KEEP_ALIVE = b": keep-alive\n\n"


class Frame(NamedTuple):
    """One entry as it is sent, with its place in the log."""

    seq: int
    data: bytes


def entry(document: Mapping[str, Any], table: Any, result: Any) -> Frame:
    """An entry of the log with the table and the result that it led to; raises KeyError, TypeError."""
    seq = document["seq"]
    if type(seq) is not int:
        raise TypeError("seq is not an integer")
    data = orjson.dumps({"entry": document, "table": table, "result": result})
    return Frame(seq, b"id: %d\nevent: entry\ndata: %b\n\n" % (seq, data))


def presence(devices: Iterable[Mapping[str, Any]]) -> bytes:
    """Who has the game open; without an id, so that it moves nobody's position."""
    return b"event: presence\ndata: %b\n\n" % orjson.dumps({"devices": list(devices)})


def end(code: str, retry_ms: int | None = None) -> bytes:
    """Why the stream closes, by a problem code, and when to come back where that helps."""
    wait = b"" if retry_ms is None else b"retry: %d\n" % retry_ms
    retry_after_s = None if retry_ms is None else retry_ms / 1000
    return b"%bevent: end\ndata: %b\n\n" % (wait, orjson.dumps({"code": code, "retry_after": retry_after_s}))
