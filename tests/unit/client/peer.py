"""A peer on a real socket that answers by script and breaks the exchange where a test wants it broken."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    """A request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


class Peer:
    """Answers each request with the next behaviour of `script`, then with `rule`; remembers all of them."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.script: deque[Behaviour] = deque()
        self.rule: Callable[[Received], Behaviour] = lambda request: answers(
            500, {"unscripted": request.path}
        )
        self.closing = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def next(self, request: Received) -> "Behaviour":
        with self.lock:
            self.received.append(request)
            if self.script:
                return self.script.popleft()
        return self.rule(request)


Behaviour = Callable[[BaseHTTPRequestHandler, Peer], None]


@contextmanager
def running() -> Iterator[Peer]:
    peer = Peer()
    thread = threading.Thread(target=peer.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield peer
    finally:
        peer.closing.set()
        peer.server.shutdown()
        peer.server.server_close()
        thread.join()


def answers(
    status: int, document: Any = None, *, content_type: str = "application/json", **headers: str
) -> Behaviour:
    """A complete answer; keyword `retry_after` becomes the header `Retry-After`."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    if document is None:
        body = b""

    def behave(handler: BaseHTTPRequestHandler, peer: Peer) -> None:
        _head(handler, status, content_type, len(body), headers)
        handler.wfile.write(body)

    return behave


def refuses(status: int, code: str, *, retry_after: str | None = None, **extra: Any) -> Behaviour:
    """A problem document."""
    document = {
        "type": f"/problems/{code}",
        "title": code,
        "status": status,
        "detail": f"Detail of {code}.",
        "code": code,
        "request_id": "r-1",
        **extra,
    }
    headers = {"retry_after": retry_after} if retry_after is not None else {}
    return answers(status, document, content_type="application/problem+json", **headers)


def drops(handler: BaseHTTPRequestHandler, peer: Peer) -> None:
    """Takes the request and closes the connection without a word."""
    handler.close_connection = True


def breaks_off(sent: bytes, *, promised: int = 100_000, content_type: str = "application/json") -> Behaviour:
    """Promises more bytes than it sends, then closes."""

    def behave(handler: BaseHTTPRequestHandler, peer: Peer) -> None:
        _head(handler, 200, content_type, promised, {})
        handler.wfile.write(sent)
        handler.close_connection = True

    return behave


def streams(*pieces: bytes, stays_open: bool = False) -> Behaviour:
    """A live stream: `pieces` one after the other; then it closes, or stays open until the test is over."""

    def behave(handler: BaseHTTPRequestHandler, peer: Peer) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream; charset=utf-8")
        handler.send_header("Connection", "close")
        handler.end_headers()
        for piece in pieces:
            handler.wfile.write(piece)
        if stays_open:
            peer.closing.wait(30)
        handler.close_connection = True

    return behave


def stays_silent(handler: BaseHTTPRequestHandler, peer: Peer) -> None:
    """Never answers; the connection stays open until the test is over."""
    peer.closing.wait(30)
    handler.close_connection = True


def _head(
    handler: BaseHTTPRequestHandler, status: int, content_type: str, length: int, headers: dict[str, str]
) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", content_type)
    handler.send_header("Content-Length", str(length))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


def _handler(peer: Peer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _any(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = json.loads(raw) if raw else None
            request = Received(self.command, self.path, dict(self.headers), body)
            peer.next(request)(self, peer)

        do_GET = do_POST = do_PATCH = do_DELETE = _any

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
