"""Owns the HTTP side of the live process: opening a stream, and the pages for whoever operates it."""

from dataclasses import dataclass, field

import orjson
from aiohttp import web
from prometheus_client import generate_latest

from gateway.live import frames, requests
from gateway.live.feed import Feed
from gateway.live.hall import Full, Hall
from gateway.live.listener import Listener
from gateway.live.presence import Presence
from gateway.live.refusals import STREAMING, Problem, refusals
from gateway.live.rights import Holder
from gateway.live.sessions import Away, Sessions
from gateway.live.stream import Reading, Stream
from gateway.live.upkeep import Upkeep
from shared.observability.metrics import registry

COME_BACK_S = 5
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
}


@dataclass(slots=True)
class Live:
    """The handlers; at most `streams` are open or being opened. `is_closing` lets nobody in any more."""

    sessions: Sessions
    hall: Hall
    feed: Feed
    presence: Presence
    upkeep: Upkeep
    streams: int
    is_closing: bool = False
    _opening: int = field(default=0)

    def application(self) -> web.Application:
        """What a server serves."""
        app = web.Application(middlewares=[refusals])
        app.router.add_get("/v1/games/{game_id}/live", self.watch)
        app.router.add_get("/live", self.alive)
        app.router.add_get("/ready", self.ready)
        app.router.add_get("/metrics", self.metrics)
        return app

    async def watch(self, request: web.Request) -> web.StreamResponse:
        """The log of a game after an entry and then what is added to it, as `text/event-stream`."""
        if self.hall.size + self._opening >= self.streams:
            raise Problem("service_unavailable", retry_after=COME_BACK_S)
        headers = requests.forwarded(request, request["id"])
        self._opening += 1
        try:
            holder, position = await self._admit(request, headers)
        finally:
            self._opening -= 1
        if self.is_closing:
            raise Problem("service_unavailable", retry_after=COME_BACK_S)
        response = web.StreamResponse(headers=HEADERS | {"X-Request-Id": request["id"]})
        if request.method == "HEAD":
            await response.prepare(request)
            return response
        listener = Listener(holder, position)
        try:
            self.hall.join(listener)
        except Full as full:
            raise Problem("too_many_streams", retry_after=COME_BACK_S) from full
        try:
            await self._serve(request, response, Reading(self.sessions, listener, headers))
        except ConnectionError:
            pass  # The listener is gone; whoever comes back says where from.
        finally:
            self.hall.leave(listener)
        return response

    async def alive(self, _: web.Request) -> web.Response:
        """This process runs."""
        return web.json_response({"status": "live"})

    async def ready(self, _: web.Request) -> web.Response:
        """Streams opened here get what happens."""
        checks = {"redis": await self.presence.ping(), "feed": self.feed.is_following}
        is_ready = all(checks.values()) and not self.is_closing
        document = {"status": "ready" if is_ready else "not ready", "checks": checks}
        return web.Response(
            body=orjson.dumps(document), status=200 if is_ready else 503, content_type="application/json"
        )

    async def metrics(self, _: web.Request) -> web.Response:
        """What this process measures."""
        headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        return web.Response(body=generate_latest(registry()), headers=headers)

    async def _admit(self, request: web.Request, headers: dict[str, str]) -> tuple[Holder, int]:
        game_id = requests.game_id(request)
        if game_id is None:
            raise Problem("not_found")
        access = await self.sessions.access(game_id, headers)
        device = requests.device(request)
        try:
            return Holder.from_document(access, device), requests.position(request, int(access["version"]))
        except (KeyError, TypeError, ValueError) as error:
            raise Away from error

    async def _serve(self, request: web.Request, response: web.StreamResponse, reading: Reading) -> None:
        request[STREAMING] = True
        response.force_close()
        await response.prepare(request)
        transport = request.transport
        if transport is None:
            raise ConnectionResetError
        stream = Stream(reading.listener, response, transport, reading)
        self.upkeep.add(stream)
        try:
            await stream.run(frames.OPENING)
        finally:
            self.upkeep.remove(stream)
