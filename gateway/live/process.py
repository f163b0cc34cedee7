"""Puts the live process together and runs it until it is told to end."""

import asyncio
import random
import signal
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import uuid4

import structlog
import uvloop
from aiohttp import web

from gateway import sockets
from gateway.live import news
from gateway.live.feed import Feed
from gateway.live.hall import Hall
from gateway.live.http import Live
from gateway.live.presence import Presence
from gateway.live.sessions import Sessions
from gateway.live.settings import Settings, read
from gateway.live.upkeep import Upkeep
from shared.observability import logging

SEND_BUFFER_BYTES = 65_536
FAREWELL_S = 1.5
RETRY_MS = (500, 2_500)
log = structlog.get_logger(__name__)


def run() -> None:
    """Serve live streams until SIGTERM or SIGINT, as the environment sets it."""
    logging.configure("gateway", "live")
    sockets.allow_many()
    uvloop.run(_serve(read()))


async def _serve(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    hall = Hall(settings.streams_per_bearer)
    presence = Presence(settings.redis_url, hall, uuid4().hex[:12])
    hall.changed = presence.changed
    feed = Feed(settings.redis_url, partial(news.tell, hall), hall.doubt)
    upkeep = Upkeep()
    async with Sessions(settings.sessions_url) as sessions:
        live = Live(sessions, hall, feed, presence, upkeep, settings.streams)
        runner = web.AppRunner(
            live.application(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await runner.setup()
        listening = sockets.listen(settings.host, settings.port, send_buffer_bytes=SEND_BUFFER_BYTES)
        site = web.SockSite(runner, listening, backlog=sockets.BACKLOG)
        await site.start()
        log.info("serving", host=settings.host, port=settings.port)
        parts = [feed.run(), presence.run(), presence.listen(), upkeep.run(), stop.wait()]
        tasks = [asyncio.ensure_future(part) for part in parts]
        ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping", listeners=hall.size)
        live.is_closing = True
        await site.stop()
        await _send_away(hall)
        upkeep.abort()
        await _cancel(tasks)
        await presence.close()
        await runner.cleanup()
        for task in ended:
            task.result()  # a part that has failed ends the process with its error


async def _send_away(hall: Hall) -> None:
    """End all streams, each told to come back at another moment, and wait until they are closed."""
    for listener in hall.everybody():
        listener.end("service_unavailable", random.randint(*RETRY_MS))  # noqa: S311 (no secret)
    with suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL_S):
            while hall.size:
                await asyncio.sleep(0.02)


async def _cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel what still runs; again where something on the way out has taken the first time for itself."""
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=0.1)
