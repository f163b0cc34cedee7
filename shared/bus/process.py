"""Owns the life of a background process: it runs until it is told to stop, and can be looked at meanwhile."""

import contextlib
import queue
import signal
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import FrameType

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from shared.observability.metrics import registry
from shared.settings import environment

log = structlog.get_logger(__name__)

LOOK_UP_EVERY_S = 0.5
Part = Callable[[threading.Event], None]


def run_until_stopped(*parts: Part, metrics_port: int | None = None) -> None:
    """Run `parts` side by side until SIGTERM or SIGINT; each gets an event that is set then, and ends soon.

    With `metrics_port` (0: a free one) `/metrics` and `/live` are served there on HOST. Call it in the main
    thread.
    When a part raises, all are stopped and the error is raised here, so that a supervisor starts them again.
    """
    # A signal handler may interrupt anything; unlike an event's lock, this queue bears that.
    reasons: queue.SimpleQueue[str] = queue.SimpleQueue()

    def ask_to_stop(number: int, _: FrameType | None) -> None:
        reasons.put(signal.Signals(number).name)

    previous = {number: signal.signal(number, ask_to_stop) for number in (signal.SIGTERM, signal.SIGINT)}
    server = serve_metrics(metrics_port)
    try:
        _run_all(parts, reasons)
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        if server is not None:
            server.shutdown()
            server.server_close()


def _run_all(parts: tuple[Part, ...], reasons: queue.SimpleQueue[str]) -> None:
    stop = threading.Event()
    errors: list[BaseException] = []

    def run(part: Part) -> None:
        try:
            part(stop)
        except BaseException as error:
            errors.append(error)
            raise
        finally:
            reasons.put(f"{threading.current_thread().name} has ended")

    threads = [threading.Thread(target=run, args=(part,), name=f"part {n}") for n, part in enumerate(parts)]
    for thread in threads:
        thread.start()
    log.info("stopping", reason=_first(reasons))
    stop.set()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def _first(reasons: queue.SimpleQueue[str]) -> str:
    while True:
        # A wait without an end could miss a signal that comes just before it begins.
        with contextlib.suppress(queue.Empty):
            return reasons.get(timeout=LOOK_UP_EVERY_S)


def serve_metrics(port: int | None) -> ThreadingHTTPServer | None:
    """Serve `/metrics` and `/live` on HOST from a thread of its own; nothing, and None, without a `port`."""
    if port is None:
        return None
    host = environment().get("HOST", "127.0.0.1")
    server = ThreadingHTTPServer((host, port), _Handler)
    server.daemon_threads = True
    threading.Thread(target=partial(server.serve_forever, 0.2), name="metrics", daemon=True).start()
    log.info("metrics_served", host=host, port=server.server_port)
    return server


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/live":
            self._answer(200, "application/json", b'{"status":"live"}')
        elif self.path == "/metrics":
            self._answer(200, CONTENT_TYPE_LATEST, generate_latest(registry()))
        else:
            self._answer(404, "text/plain", b"")

    def _answer(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        log.debug("metrics_read", line=format % args)
