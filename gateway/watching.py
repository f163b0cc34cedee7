"""Passes live streams on: the client's request inwards, and what comes back byte by byte as it comes."""

import asyncio
import random
from typing import Self

import structlog
from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, TCPConnector
from yarl import URL

from gateway.answers import Answer
from gateway.breaker import Breaker
from gateway.edge import Edge, Passage
from gateway.headers import outward
from gateway.live import frames
from gateway.proxy import inside, refused_in_its_own_words, target
from gateway.routes import Route
from shared.web.problems import Problem

CONNECT_S = 2.0
SILENT_S = 30.0  # the live process says something every 5 s
COME_BACK_MS = (500, 2_500)
_FRAME_END = b"\n\n"
log = structlog.get_logger(__name__)


class Watched:
    """The body of `response`, as it comes; one of `others` until it is closed."""

    def __init__(self, response: ClientResponse, others: "set[Watched]") -> None:
        self._response = response
        self._others = others
        self._last = _FRAME_END
        self._ends = self._over = False
        others.add(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        """The next piece. Raises `ClientError` when the stream breaks off; one that this process ends between
        two frames is whole, and says so.
        """
        if self._over:
            raise StopAsyncIteration
        try:
            piece = await self._response.content.readany()
        except ClientError as error:
            if not self._ends or self._last != _FRAME_END:
                log.info("stream_broken_off", error=type(error).__name__)
                raise
            self._over = True
            return frames.end("service_unavailable", random.randint(*COME_BACK_MS))  # noqa: S311  (no secret)
        if not piece:
            raise StopAsyncIteration
        self._last = (self._last + piece)[-2:]
        return piece

    def end(self) -> None:
        """Let it come to its end; whoever reads it learns that."""
        self._ends = True
        self._response.close()

    async def aclose(self) -> None:
        self._others.discard(self)
        self._response.close()


class Watching:
    """The live process at `url`, asked over as many connections as there are clients watching.

    To be made and closed where the event loop runs.
    """

    def __init__(self, url: str, edge: Edge, breaker: Breaker) -> None:
        self._url = url.rstrip("/")
        self._edge = edge
        self._breaker = breaker
        self._open: set[Watched] = set()
        self._stopping = False
        self._session = ClientSession(
            connector=TCPConnector(limit=0, ttl_dns_cache=5),
            timeout=ClientTimeout(total=None, sock_connect=CONNECT_S, sock_read=SILENT_S),
            auto_decompress=False,
            skip_auto_headers=("Accept", "Accept-Encoding", "User-Agent"),
        )

    async def answer(self, passage: Passage, route: Route) -> Answer:
        """The answer to a request on `route`, whatever happens; its body lasts."""
        try:
            body = self._edge.admit(passage, route)
            answer = await self._asked(passage, route, body)
            self._edge.answered(passage, route, answer.status)
        except Problem as problem:
            answer = self._edge.refusal(passage, problem)
        except Exception:  # whatever went wrong, a client gets a problem document
            log.exception("unexpected_error", **passage.named())
            answer = self._edge.refusal(passage, Problem("internal_error"))
        return self._edge.leave(passage, answer)

    async def stop(self) -> None:
        """End all streams, each with a word about when to come back."""
        self._stopping = True
        for stream in list(self._open):
            stream.end()
        await self._session.close()

    async def _asked(self, passage: Passage, route: Route, body: bytes | None) -> Answer:
        headers = inside(passage.environ, passage.visitor, body)
        budget_s = self._breaker.admit(route.budget_s)
        if self._stopping or not budget_s:
            raise Problem("service_unavailable")
        try:
            async with asyncio.timeout(budget_s):
                response = await self._session.request(
                    passage.environ["REQUEST_METHOD"],
                    URL(self._url + target(passage.environ), encoded=True),
                    headers=headers,
                    allow_redirects=False,
                )
                answer = await self._begun(response)
        except (ClientError, TimeoutError, OSError) as error:
            self._breaker.failed()
            log.warning("service_unavailable", to=route.service, error=type(error).__name__)
            raise Problem("service_unavailable") from error
        self._breaker.succeeded()
        refused_in_its_own_words(answer)
        return answer

    async def _begun(self, response: ClientResponse) -> Answer:
        headers = outward(response.headers.items())
        if response.status == 200 and response.method != "HEAD":
            return Answer(response.status, headers, Watched(response, self._open))
        async with response:
            body = await response.read()
        return Answer(response.status, headers, [body] if body else [])
