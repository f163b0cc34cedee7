"""A bad network between devices and a gateway: it loses, doubles, delays and reorders what it carries.

What becomes of a device's requests is decided by the seed and the name in `X-Device`: each device has its own
row of fates, whatever the others do meanwhile.
"""

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Self

import orjson
import urllib3
from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector, web
from multidict import CIMultiDict

from tests.support.api import Reply
from tests.support.audit import Exchange
from tests.support.fates import Fate, fate, stream_fate

LOCAL = "127.0.0.1"
ANSWER_S = 30.0
HELD_S = 0.05
LATE_S = 0.3
MOST_OVERTAKING = 12
_HOP_BY_HOP = {"connection", "content-length", "host", "keep-alive", "transfer-encoding"}


@dataclass(frozen=True, slots=True)
class Parcel:
    """A request as it is to arrive."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Traffic:
    """Counts what passes, so that something can be kept back until others have overtaken it."""

    def __init__(self) -> None:
        self._passed = 0
        self._moved = asyncio.Condition()

    async def pass_on(self) -> None:
        async with self._moved:
            self._passed += 1
            self._moved.notify_all()

    async def let_pass(self, count: int, at_most_s: float) -> None:
        """Return when `count` more have passed, or after `at_most_s` seconds."""
        async with self._moved:
            goal = self._passed + count
            try:
                await asyncio.wait_for(self._moved.wait_for(lambda: self._passed >= goal), at_most_s)
            except TimeoutError:
                return


class BadNetwork:
    """Listens at `url` and carries to `gateway_url`; `with BadNetwork(...) as network`.

    `heard` are the gateway's answers to all actions that arrived, also those that no device heard; `fates`
    counts what became of the requests and `cuts` the streams that were cut.
    """

    url: str

    def __init__(self, gateway_url: str, seed: int) -> None:
        self.heard: list[Exchange] = []
        self.fates: Counter[Fate] = Counter()
        self.cuts = 0
        self._gateway_url = gateway_url
        self._seed = seed
        self._chances: dict[str, random.Random] = {}
        self._loop = asyncio.new_event_loop()
        self._ready: Future[str] = Future()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.url = self._ready.result(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)
        assert not self._thread.is_alive(), "the network still carries something"

    def deliver_late(self) -> None:
        """Wait until whatever is still on its way has arrived."""
        asyncio.run_coroutine_threadsafe(self._delivered(), self._loop).result(ANSWER_S)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        self._stop = asyncio.Event()
        self._traffic = Traffic()
        self._late: set[asyncio.Task[Reply | None]] = set()
        runner = web.ServerRunner(web.Server(self._carry), shutdown_timeout=0.05)
        async with ClientSession(
            connector=TCPConnector(limit=0), auto_decompress=False, timeout=ClientTimeout(ANSWER_S)
        ) as self._session:
            await runner.setup()
            await web.TCPSite(runner, LOCAL, 0).start()
            self._ready.set_result(f"http://{LOCAL}:{runner.addresses[0][1]}")
            await self._stop.wait()
            await self._delivered()
            await runner.cleanup()

    async def _delivered(self) -> None:
        while self._late:
            await asyncio.wait(set(self._late))

    async def _carry(self, request: web.BaseRequest) -> web.StreamResponse:
        name = request.headers.get("X-Device", "")
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _HOP_BY_HOP}
        parcel = Parcel(request.method, request.path_qs, headers, await request.read())
        if request.path.endswith("/live"):
            return await self._stream(request, parcel, self._chance(f"{name} live"))
        reply = await self._suffer(parcel, self._chance(name))
        return _cut(request) if reply is None else _answer(reply)

    def _chance(self, name: str) -> random.Random:
        return self._chances.setdefault(name, random.Random(f"{self._seed} {name}"))

    async def _suffer(self, parcel: Parcel, chance: random.Random) -> Reply | None:
        """What the sender hears, if anything."""
        what = fate(chance)
        self.fates[what] += 1
        match what:
            case Fate.LOST:
                return None
            case Fate.UNANSWERED:
                await self._arrive(parcel)
                return None
            case Fate.DOUBLED:
                replies = await asyncio.gather(self._arrive(parcel), self._arrive(parcel))
                return chance.choice(replies)
            case Fate.HELD:
                await self._traffic.let_pass(chance.randint(1, 3), HELD_S)
            case Fate.GIVEN_UP:
                self._arrive_late(parcel, chance)
                return None
            case Fate.REPEATED:
                self._arrive_late(parcel, chance)
        return await self._arrive(parcel)

    def _arrive_late(self, parcel: Parcel, chance: random.Random) -> None:
        overtaking = chance.randint(1, MOST_OVERTAKING)

        async def arrive() -> Reply | None:
            await self._traffic.let_pass(overtaking, LATE_S)
            return await self._arrive(parcel)

        task = asyncio.create_task(arrive())
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def _arrive(self, parcel: Parcel) -> Reply | None:
        """The gateway's answer, or None when it hung up."""
        try:
            async with self._session.request(
                parcel.method, self._gateway_url + parcel.path, headers=parcel.headers, data=parcel.body
            ) as answer:
                reply = Reply(
                    answer.status, urllib3.HTTPHeaderDict(answer.headers.items()), await answer.read()
                )
        except ClientError:
            return None
        finally:
            await self._traffic.pass_on()
        if parcel.path.endswith("/actions"):
            self.heard.append(Exchange(orjson.loads(parcel.body), reply))
        return reply

    async def _stream(
        self, request: web.BaseRequest, parcel: Parcel, chance: random.Random
    ) -> web.StreamResponse:
        passing = stream_fate(chance)
        if passing.is_over:
            self.cuts += 1
            return _cut(request)
        try:
            async with self._session.get(
                self._gateway_url + parcel.path, headers=parcel.headers, timeout=ClientTimeout(None)
            ) as answer:
                response = web.StreamResponse(status=answer.status, headers=_outward(answer.headers.items()))
                await response.prepare(request)
                async for data in answer.content.iter_any():
                    for pause_s, piece in passing.pieces(data):
                        if pause_s:
                            await self._traffic.let_pass(MOST_OVERTAKING, pause_s)
                        await response.write(piece)
                    if passing.is_over:
                        self.cuts += 1
                        return _cut(request, response, in_order=chance.random() < 0.5)
                return response
        except (ClientError, ConnectionError):
            return _cut(request)


def _cut(
    request: web.BaseRequest, response: web.StreamResponse | None = None, *, in_order: bool = False
) -> web.StreamResponse:
    """End the connection in the middle; `in_order` what was written before still gets through."""
    if request.transport is not None:
        if in_order:
            request.transport.close()
        else:
            request.transport.abort()
    return response or web.Response()


def _answer(reply: Reply) -> web.Response:
    return web.Response(status=reply.status, headers=_outward(reply.headers.items()), body=reply.body)


def _outward(headers: Iterable[tuple[str, str]]) -> CIMultiDict[str]:
    return CIMultiDict((name, value) for name, value in headers if name.lower() not in _HOP_BY_HOP)
