"""The gateway's HTTP server: takes each request through the edge, on the event loop or in a thread."""

import asyncio
import re

import structlog
from aiohttp import ClientError
from aiohttp.http import HttpVersion10, HttpVersion11
from aiohttp.http_exceptions import BadHttpMethod, HttpProcessingError
from aiohttp.web import BaseRequest, Server, StreamResponse
from aiohttp.web_protocol import RequestHandler, RequestPayloadError, _ErrInfo
from urllib3.exceptions import HTTPError

from gateway.answers import Answer
from gateway.edge import Edge
from gateway.environ import environ_for, environ_of
from gateway.incoming import Incoming
from gateway.outgoing import Outgoing
from gateway.threads import Threads
from gateway.watching import Watching
from shared.web.problems import Problem

IDLE_S = 75.0  # between two requests of a connection, and before its first one is there
HEADER_BYTES = 16_384  # a line of the head; 128 of them at most
_FIRST_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([!-~]+) HTTP/1\.[01]\r\n")
_VERSIONS = (HttpVersion10, HttpVersion11)  # the parser lets 0.9 and 2.0 through as well
log = structlog.get_logger(__name__)


class Handler:
    """What is done with a request."""

    def __init__(self, edge: Edge, threads: Threads, watching: Watching) -> None:
        self._edge = edge
        self._threads = threads
        self._watching = watching
        self._incoming = Incoming()
        self._outgoing = Outgoing(threads)
        self._running: set[asyncio.Task[object]] = set()

    async def __call__(self, request: BaseRequest) -> StreamResponse:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            if request.version not in _VERSIONS:
                return self.malformed(request, b"", None)
            return await self._outgoing.send(request, await self._answer(request))
        finally:
            self._running.discard(task)

    async def finish(self, streams_s: float, requests_s: float) -> None:
        """Wait for what is being answered, less long for answers that stream: slow readers would decide."""
        if self._running:
            await asyncio.wait(self._running, timeout=streams_s)
        for task in self._outgoing.streaming:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=requests_s - streams_s)

    def malformed(self, request: BaseRequest, first: bytes, error: BaseException | None) -> StreamResponse:
        """The answer to what begins with `first` and is no HTTP, or has a method the parser does not know."""
        known = _FIRST_LINE.match(first) if isinstance(error, BadHttpMethod) else None
        method, target = (part.decode() for part in known.groups()) if known else ("GET", "/")
        passage = self._edge.enter(environ_for(method, target, request.remote or ""))
        if known:
            answer = self._edge.answer(passage)
        else:
            answer = self._edge.leave(passage, self._edge.refusal(passage, Problem("malformed_body")))
        return self._outgoing.send_last(request, answer)

    async def _answer(self, request: BaseRequest) -> Answer:
        passage = self._edge.enter(environ_of(request))
        route = passage.route
        try:
            if route is not None:
                passage.set_body(await self._incoming.read(request))
            if route is not None and route.lasts:
                return await self._watching.answer(passage, route)
            if self._threads.are_crowded:
                log.warning("too_many_wait_for_a_thread")
                raise Problem("service_unavailable")
        except Problem as problem:
            return self._edge.leave(passage, self._edge.refusal(passage, problem))
        return await self._threads.run(lambda: self._edge.answer(passage), Answer.abandon)


class Connection(RequestHandler):
    """One connection, refused in our words; aiohttp's own would be logged with what was sent in them."""

    __slots__ = ("_handler", "_latest")

    def __init__(self, server: "Front", handler: Handler, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            server,
            loop=loop,
            keepalive_timeout=IDLE_S,
            access_log=None,  # type: ignore[arg-type]
            auto_decompress=False,
            max_line_size=HEADER_BYTES,
            max_field_size=HEADER_BYTES,
        )
        self._handler = handler
        self._latest = b""

    def data_received(self, data: bytes) -> None:
        self._latest = data or self._latest
        super().data_received(data)
        # aiohttp queues what is wrong behind the request whose body it is in, which would wait for the rest.
        reading = self._current_request
        if reading is not None and self._is_malformed() and not reading.content.is_eof():
            reading.content.set_exception(RequestPayloadError("malformed"))

    def _is_malformed(self) -> bool:
        return bool(self._messages) and isinstance(self._messages[-1][0], _ErrInfo)

    def handle_error(
        self,
        request: BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> StreamResponse:
        """What to answer instead; raises `ConnectionError` to break off an answer that has begun."""
        if isinstance(exc, HttpProcessingError):
            return self._handler.malformed(request, self._latest, exc)
        if not isinstance(exc, ConnectionError | ClientError | HTTPError):
            log.error("answer_broken_off", exc_info=exc)
        raise ConnectionResetError("the answer is broken off")


class Front(Server):
    """Makes the connections; to be made where the event loop runs."""

    def __init__(self, handler: Handler) -> None:
        super().__init__(handler, handler_cancellation=True)
        self._handler = handler

    def __call__(self) -> RequestHandler:
        return Connection(self, self._handler, self._loop)
