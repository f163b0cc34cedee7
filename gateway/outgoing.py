"""Answers on their way out: as fast as the client takes them, and no longer than it takes anything."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from time import time

from aiohttp.http import HttpVersion11
from aiohttp.web import BaseRequest, StreamResponse

from gateway.answers import Answer, Pieces, Stream
from gateway.headers import Headers
from gateway.threads import Threads

STALLED_S = 30.0  # how long a client may take nothing of what waits for it
AHEAD_BYTES = 1_048_576  # so much of a stream is taken from its service before a slow client has it
_NO_BODY = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)
_STATUS_LINES = {int(status): f"HTTP/1.1 {int(status)} {status.phrase}\r\n" for status in HTTPStatus}


class Sent(StreamResponse):
    """Tells aiohttp that the answer is written, and whether the connection may carry another one."""

    def __init__(self, keeps_alive: bool) -> None:
        super().__init__()
        self._keeps_alive = keeps_alive

    @property
    def keep_alive(self) -> bool:
        return self._keeps_alive

    async def prepare(self, request: BaseRequest) -> None:
        """Nothing is left to do."""

    async def write_eof(self, data: bytes = b"") -> None:
        """Nothing is left to do."""


class Outgoing:
    """Writes answers; what blocks while a body arrives is done in `threads`."""

    def __init__(self, threads: Threads, stalled_s: float = STALLED_S) -> None:
        self._threads = threads
        self._stalled_s = stalled_s
        self.streaming: set[asyncio.Task[object]] = set()

    async def send(self, request: BaseRequest, answer: Answer) -> Sent:
        """Write `answer`; raises `ConnectionError` when the client is gone or takes nothing any more."""
        silent = request.method == "HEAD" or answer.status in _NO_BODY
        body = answer.body
        if silent or isinstance(body, list):
            sent = Sent(request.keep_alive and request.content.is_eof() and request.version >= HttpVersion11)
            whole = b"" if silent or not isinstance(body, list) else b"".join(body)
            await self._close(body)
            _write(request, _head(answer.status, answer.headers, closes=not sent.keep_alive) + whole)
            await self._taken(request)
            return sent
        task = asyncio.current_task()
        assert task is not None
        self.streaming.add(task)
        try:
            return await self._stream(
                request, answer, self._pieces(body) if isinstance(body, Stream) else body
            )
        finally:
            self.streaming.discard(task)
            await self._close(body)

    def send_last(self, request: BaseRequest, answer: Answer) -> Sent:
        """Write a short `answer`, the last one of its connection, without waiting for the client."""
        whole = b"".join(answer.body) if isinstance(answer.body, list) else b""
        _write(request, _head(answer.status, answer.headers, closes=True) + whole)
        return Sent(keeps_alive=False)

    async def _stream(self, request: BaseRequest, answer: Answer, pieces: AsyncIterable[bytes]) -> Sent:
        chunked = request.version >= HttpVersion11 and not _has_length(answer.headers)
        sent = Sent(request.keep_alive and request.version >= HttpVersion11)
        headers = [*answer.headers, ("Transfer-Encoding", "chunked")] if chunked else answer.headers
        if request.transport and isinstance(answer.body, Stream):
            request.transport.set_write_buffer_limits(AHEAD_BYTES)
        _write(request, _head(answer.status, headers, closes=not sent.keep_alive))
        whole = False
        try:
            async for piece in pieces:
                _write(request, b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
                await self._taken(request)
            whole = True
        finally:
            if not whole and request.transport:
                request.transport.abort()  # a shortened answer must not look like a whole one
        if chunked:
            _write(request, b"0\r\n\r\n")
        return sent

    async def _pieces(self, stream: Stream) -> AsyncGenerator[bytes]:
        while piece := await self._threads.run(lambda: next(stream, b"")):
            yield piece

    async def _close(self, body: list[bytes] | Stream | Pieces) -> None:
        if isinstance(body, Stream):
            self._threads.start(body.close)
        elif not isinstance(body, list):
            await body.aclose()

    async def _taken(self, request: BaseRequest) -> None:
        """Wait while too much waits for the client; give it up when it takes nothing of that."""
        while request.protocol.writing_paused and (transport := request.transport) is not None:
            waiting = transport.get_write_buffer_size()
            try:
                async with asyncio.timeout(self._stalled_s):
                    await request.writer.drain()
            except TimeoutError:
                if transport.get_write_buffer_size() >= waiting:
                    transport.abort()
                    raise ConnectionResetError("the client takes nothing") from None


def _write(request: BaseRequest, data: bytes) -> None:
    transport = request.transport
    if transport is None or transport.is_closing():
        raise ConnectionResetError("the client is gone")
    transport.write(data)


def _head(status: int, headers: Headers, *, closes: bool) -> bytes:
    lines = [_STATUS_LINES.get(status) or f"HTTP/1.1 {status} Unknown\r\n"]
    lines += [f"{name}: {value}\r\n" for name, value in headers if "\n" not in value]
    lines.append(f"Server: ninety-eight\r\nDate: {_date(int(time()))}\r\n")
    lines.append("Connection: close\r\n\r\n" if closes else "\r\n")
    return "".join(lines).encode("latin-1", "replace")


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


def _has_length(headers: Headers) -> bool:
    return any(name.lower() == "content-length" for name, _ in headers)
