"""Owns what the live process asks sessions: what a bearer may do with a game, and pages of its log."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import orjson
from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

from gateway.live import frames
from gateway.live.frames import Frame
from shared.web.problem_documents import MEDIA_TYPE

TIMEOUT = ClientTimeout(total=5, connect=2)
QUEUED_S = 8.0
ACCESSES = 32
# Few, so that everybody's reading the log at once leaves sessions room for those who play.
READS = 8
PAGE = 100

Headers = Mapping[str, str]


class Refused(Exception):
    """Sessions does not let this bearer see this game; its problem document is passed on as it is."""

    def __init__(self, status: int, headers: Headers, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def code(self) -> str:
        """The problem's code."""
        try:
            return str(orjson.loads(self.body)["code"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            return "not_found"


class Away(Exception):
    """Sessions could not be reached, or gave no sensible answer."""


@dataclass(frozen=True, slots=True)
class Page:
    """Entries of the log in order, ready to be sent, and whether there are more after them."""

    entries: list[Frame] = field(default_factory=list)
    has_more: bool = False


class Sessions:
    """Asks the service at `url`, with a bearer's own headers; few questions at the same time."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._client: ClientSession | None = None
        self._accesses = asyncio.Semaphore(ACCESSES)
        self._reads = asyncio.Semaphore(READS)

    async def __aenter__(self) -> "Sessions":
        connector = TCPConnector(limit=ACCESSES + READS, keepalive_timeout=10)
        self._client = ClientSession(connector=connector, cookie_jar=DummyCookieJar(), timeout=TIMEOUT)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client is not None:
            await self._client.close()

    async def access(self, game_id: str, headers: Headers) -> dict[str, Any]:
        """What the bearer may do with a game; raises Refused and Away."""
        try:
            async with asyncio.timeout(QUEUED_S), self._accesses:
                document = await self._get(f"/v1/games/{game_id}/access", headers)
        except TimeoutError as error:
            raise Away from error
        if not isinstance(document, dict):
            raise Away
        return document

    async def page(self, game_id: str, headers: Headers, after: int) -> Page:
        """The log above seq `after`, or its beginning; raises Refused and Away."""
        async with self._reads:
            document = await self._get(
                f"/v1/games/{game_id}/log?after={after}&tables=true&limit={PAGE}", headers
            )
        try:
            items = [_frame(item) for item in document["items"]]
            return Page(items, document["next_cursor"] is not None)
        except (KeyError, TypeError) as error:
            raise Away from error

    async def _get(self, path: str, headers: Headers) -> Any:
        if self._client is None:
            raise Away
        try:
            async with self._client.get(self._url + path, headers=headers, allow_redirects=False) as answer:
                body = await answer.read()
        except (ClientError, TimeoutError, OSError) as error:
            raise Away from error
        if answer.status == HTTPStatus.OK:
            try:
                return orjson.loads(body)
            except orjson.JSONDecodeError as error:
                raise Away from error
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.content_type != MEDIA_TYPE:
            raise Away
        raise Refused(answer.status, answer.headers, body)


def _frame(item: dict[str, Any]) -> Frame:
    table, result = item.pop("table"), item.pop("result")
    return frames.entry(item, table, result)
