"""Owns the writing of one open stream: the log first, then what the listener is given, until it ends."""

import asyncio
from dataclasses import dataclass, field
from time import monotonic

from aiohttp import web

from gateway.live import metrics
from gateway.live.listener import Listener
from gateway.live.sessions import Away, Headers, Page, Refused, Sessions
from shared.bus.backoff import Backoff


@dataclass(slots=True)
class Reading:
    """How reading the log for one listener goes: patiently, since sessions may be away for a while."""

    sessions: Sessions
    listener: Listener
    headers: Headers
    backoff: Backoff = field(default_factory=lambda: Backoff(0.1, 2.0))
    pause_s: float = 0.0

    async def page(self, after: int) -> Page:
        """The next page, as soon as there is one; raises Refused."""
        await asyncio.sleep(self.pause_s)
        while True:
            try:
                return await self.sessions.page(self.listener.holder.game_id, self.headers, after)
            except Away:
                await asyncio.sleep(self.backoff.next_s())

    def took(self, page: Page) -> None:
        """An entry that was heard of and cannot be read yet is not asked for again without a pause."""
        if page.entries or not self.listener.is_behind:
            self.backoff.reset()
            self.pause_s = 0.0
        else:
            self.pause_s = self.backoff.next_s()


class Stream:
    """One listener's connection. `handed` counts the bytes given to it, `written_at` when that last was."""

    def __init__(
        self, listener: Listener, response: web.StreamResponse, transport: asyncio.Transport, reading: Reading
    ) -> None:
        self.listener = listener
        self.transport = transport
        self.handed = 0
        self.written_at = monotonic()
        self._response = response
        self._reading = reading
        self._woken = asyncio.Event()
        listener.wake = self._woken.set

    async def run(self, opening: bytes) -> None:
        """Write until the listener's stream has ended; raises ConnectionError where it broke off."""
        page: asyncio.Task[Page] | None = None
        await self._write([opening])
        try:
            while self.listener.farewell is None:
                self._woken.clear()
                if page is not None and page.done():
                    await self._fill(page)
                    page = None
                elif queued := self.listener.take():
                    await self._write(queued)
                elif page is None and self.listener.is_behind:
                    page = asyncio.create_task(self._reading.page(self.listener.begin_reading()))
                    page.add_done_callback(lambda _: self._woken.set())
                else:
                    await self._woken.wait()
            await self._write([self.listener.farewell])
            await self._response.write_eof()
        finally:
            if page is not None:
                page.cancel()

    async def _fill(self, page: asyncio.Task[Page]) -> None:
        try:
            found = page.result()
        except Refused as refused:
            self.listener.end(refused.code)
            return
        missed = self.listener.fill(found.entries, has_more=found.has_more)
        self._reading.took(found)
        if missed:
            await self._write(missed)

    async def _write(self, pieces: list[bytes]) -> None:
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        # A chunk travels with its length in front and two line ends.
        self.handed += len(data) + len(f"{len(data):x}") + 4
        self.written_at = monotonic()
        metrics.FRAMES.inc(len(pieces))
        await self._response.write(data)
