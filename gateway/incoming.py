"""Bodies on their way in: read whole before anything waits for them, within a time and in bounded memory."""

import asyncio

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web import BaseRequest
from aiohttp.web_protocol import RequestPayloadError

from shared.web.problems import Problem
from shared.web.wire import BODY_LIMIT

WITHIN_S = 30.0
HELD_LIMIT = 256 * BODY_LIMIT  # of all bodies that are not whole yet: 64 MiB
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Incoming:
    """Reads bodies; a slow sender costs the memory of what it has sent so far, and nothing else."""

    def __init__(self, within_s: float = WITHIN_S, held_limit: int = HELD_LIMIT) -> None:
        self._within_s = within_s
        self._held_limit = held_limit
        self._held = 0

    async def read(self, request: BaseRequest) -> bytes:
        """The body: of one that is over the limit the beginning that shows it, of one that says so already
        nothing. Raises `Problem`: `malformed_body` for one that does not end in time or not as it should,
        `service_unavailable` when too many arrive at once.
        """
        if not request.body_exists or not _acceptable(request.headers.get("Content-Length", "0")):
            return b""
        if request.headers.get("Expect", "").lower() == "100-continue" and request.transport:
            request.transport.write(_CONTINUE)
        body = bytearray()
        try:
            async with asyncio.timeout(self._within_s):
                while len(body) <= BODY_LIMIT and (piece := await request.content.readany()):
                    body += piece
                    self._hold(len(piece))
        except (TimeoutError, HttpProcessingError, RequestPayloadError, web.HTTPException) as error:
            raise Problem("malformed_body") from error
        finally:
            self._held -= len(body)
        return bytes(body)

    def _hold(self, count: int) -> None:
        self._held += count
        if self._held > self._held_limit:
            raise Problem("service_unavailable")


def _acceptable(length: str) -> bool:
    return length.isdecimal() and int(length) <= BODY_LIMIT
