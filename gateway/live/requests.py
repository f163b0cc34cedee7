"""Owns what a request for a stream says: who asks, for which game, from which entry on."""

import re
from typing import Any
from uuid import UUID

from aiohttp import web

from shared.storage.ids import new_id
from shared.web.wire import DEVICE_CHARACTERS, REQUEST_ID, device_name

FORWARDED = ("Authorization", "X-Device", "Accept-Language", "traceparent")
_SEQ = re.compile(r"[0-9]{1,9}")


class Invalid(Exception):
    """Something in the request is not valid: `errors` as in a problem document."""

    def __init__(self, where: str, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.errors: dict[str, Any] = {where: {name: [message]}}


def request_id(request: web.Request) -> str:
    """The id the caller gave the request, else a new one."""
    given = request.headers.get("X-Request-Id", "")
    return given if REQUEST_ID.fullmatch(given) else str(new_id())


def forwarded(request: web.Request, request_id: str) -> dict[str, str]:
    """The headers under which sessions is asked in the bearer's name."""
    found = {name: value for name in FORWARDED if (value := request.headers.get(name)) and value.isascii()}
    return found | {"X-Request-Id": request_id}


def game_id(request: web.Request) -> str | None:
    """The game's id in its usual form; None where it is no id at all."""
    try:
        return str(UUID(request.match_info["game_id"]))
    except ValueError:
        return None


def device(request: web.Request) -> str | None:
    """What the bearer calls the device; raises Invalid."""
    try:
        return device_name(request.headers.get("X-Device", "").encode("utf-8", "surrogateescape"))
    except ValueError as error:
        raise Invalid("headers", "X-Device", f"At most {DEVICE_CHARACTERS} characters.") from error


def position(request: web.Request, version: int) -> int:
    """The seq after which the stream begins, between 0 and the game's `version`; raises Invalid."""
    for name in request.query:
        if name != "after":
            raise Invalid("query", name, "Unknown field.")
    if last := request.headers.get("Last-Event-ID"):
        return _seq("headers", "Last-Event-ID", [last], version)
    return _seq("query", "after", request.query.getall("after", ["0"]), version)


def _seq(where: str, name: str, values: list[str], version: int) -> int:
    if len(values) != 1 or not _SEQ.fullmatch(values[0]) or int(values[0]) > version:
        raise Invalid(where, name, f"The seq of an entry: a whole number from 0 to {version}.")
    return int(values[0])
