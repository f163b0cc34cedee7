"""Clients that send or take nothing any more are given up, over real connections, within short times."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Self

import pytest
from aiohttp.web import BaseRequest, Server, StreamResponse

from gateway.answers import Answer
from gateway.incoming import Incoming
from gateway.outgoing import Outgoing
from gateway.threads import Threads
from shared.web.problems import Problem

SOON_S = 10
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"


class Endless:
    """A body without an end that remembers being closed."""

    def __init__(self) -> None:
        self.is_closed = asyncio.Event()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        return b"x" * 65_536

    async def aclose(self) -> None:
        self.is_closed.set()


class Client:
    """A connection to `handler`, used from threads so that the loop goes on."""

    def __init__(self, handler: Callable[[BaseRequest], Awaitable[StreamResponse]]) -> None:
        self._handler = handler

    async def __aenter__(self) -> Self:
        server = Server(self._handler, access_log=None)
        self._server = await asyncio.get_running_loop().create_server(server, "127.0.0.1", 0)
        self._socket = socket.create_connection(self._server.sockets[0].getsockname()[:2], timeout=SOON_S)
        return self

    async def send(self, data: bytes) -> None:
        await asyncio.to_thread(self._socket.sendall, data)

    async def receive(self, count: int) -> bytes:
        return await asyncio.to_thread(self._socket.recv, count)

    async def __aexit__(self, *_: object) -> None:
        self._socket.close()
        self._server.close()


def test_a_client_that_takes_nothing_is_given_up_and_the_body_closed() -> None:
    async def ignore() -> None:
        outgoing, body = Outgoing(Threads(1), stalled_s=0.3), Endless()

        async def answer(request: BaseRequest) -> StreamResponse:
            return await outgoing.send(request, Answer(200, [], body))

        async with Client(answer) as client:
            await client.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await asyncio.wait_for(body.is_closed.wait(), SOON_S)

    asyncio.run(ignore())


def test_a_client_that_is_slow_is_waited_for() -> None:
    """Five times as long as it may stall, taking a little every now and then."""

    async def read_slowly() -> None:
        outgoing, body = Outgoing(Threads(1), stalled_s=0.5), Endless()

        async def answer(request: BaseRequest) -> StreamResponse:
            return await outgoing.send(request, Answer(200, [], body))

        async with Client(answer) as client:
            await client.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            for _ in range(25):
                await asyncio.to_thread(threading.Event().wait, 0.1)
                for _ in range(8):
                    assert await client.receive(1 << 20)
            assert not body.is_closed.is_set()

    asyncio.run(read_slowly())


@pytest.mark.parametrize(
    ("incoming", "sent", "code"),
    [
        (Incoming(within_s=0.2), POST + b"{", "malformed_body"),
        (Incoming(held_limit=4), POST + b"{     ", "service_unavailable"),
    ],
    ids=["too slow", "too many at once"],
)
def test_a_body_is_given_up(incoming: Incoming, sent: bytes, code: str) -> None:
    async def refuse() -> None:
        found: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def answer(request: BaseRequest) -> StreamResponse:
            try:
                await incoming.read(request)
            except Problem as problem:
                found.set_result(problem.code)
            return StreamResponse()

        async with Client(answer) as client:
            await client.send(sent)
            assert await asyncio.wait_for(found, SOON_S) == code

    asyncio.run(refuse())


def test_bodies_that_are_whole_make_room_for_others() -> None:
    incoming = Incoming(held_limit=10)

    async def read_all() -> list[bytes]:
        bodies: list[bytes] = []
        arrived = threading.Semaphore(0)

        async def answer(request: BaseRequest) -> StreamResponse:
            bodies.append(await incoming.read(request))
            arrived.release()
            return StreamResponse()

        async with Client(answer) as client:
            for _ in range(3):
                await client.send(POST + b"0123456789")
                assert await asyncio.to_thread(arrived.acquire, timeout=SOON_S)
        return bodies

    assert asyncio.run(read_all()) == [b"0123456789"] * 3
