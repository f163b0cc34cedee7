"""A small HTTP server in place of a service, which does to its callers what a test wants."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus


@dataclass(frozen=True)
class Received:
    """A request as it came in; names of headers in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


Behaviour = Callable[[Received, socket.socket], bool]
"""Deals with one request on its connection; tells whether the connection stays open."""


@dataclass
class Standin:
    """Listens on loopback; `behaviour` may be changed at any time, `received` is everything that came."""

    behaviour: Behaviour = field(default_factory=lambda: answer(200, {"standin": True}))
    received: list[Received] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    address: str = "127.0.0.1"

    def __post_init__(self) -> None:
        self.start()

    @property
    def url(self) -> str:
        return f"http://{self.address}:{self.port}"

    def start(self) -> None:
        """Listen, at the same port as before if there was one."""
        self._listener = socket.create_server((self.address, self.port), backlog=64)
        self.port = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def stop(self) -> None:
        """Refuse new connections and reset the open ones, as a killed process does."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in list(self._open):
            _reset(connection)

    @property
    def is_deserted(self) -> bool:
        """Whether every connection is closed; a reset one is, as soon as its thread has noticed."""
        return not self._open

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            self._open.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection, connection.makefile("rb") as incoming:
            while (request := _read(incoming)) is not None:
                self.received.append(request)
                if not self.behaviour(request, connection):
                    break
        self._open.discard(connection)


def answer(status: int, document: object, **headers: str) -> Behaviour:
    """Answers with JSON; underscores in the names of `headers` stand for hyphens."""
    body = json.dumps(document).encode()
    given = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}

    def behave(request: Received, connection: socket.socket) -> bool:
        silent = request.method == "HEAD" or status in (204, 304)
        connection.sendall(_head(status, given) + (b"" if silent else body))
        return True

    return behave


def problem(status: int, code: str, **headers: str) -> Behaviour:
    """Answers with a problem document, as a service does that refuses."""
    return answer(status, {"code": code}, Content_Type="application/problem+json", **headers)


def page(status: int) -> Behaviour:
    """Answers in HTML, as a web server does before an application sees the request."""
    return answer(status, "<html>", Content_Type="text/html")


def hang_up(_: Received, connection: socket.socket) -> bool:
    """Resets the connection instead of answering."""
    _reset(connection)
    return False


def hang_up_inside(_: Received, connection: socket.socket) -> bool:
    """Resets the connection in the middle of an answer of known length."""
    connection.sendall(_head(200, {"Content-Type": "application/json", "Content-Length": "50"}) + b'{"half":')
    _reset(connection)
    return False


def stall(until: threading.Event) -> Behaviour:
    """Says nothing before `until`."""

    def behave(request: Received, connection: socket.socket) -> bool:
        until.wait(30)
        return answer(200, {"late": True})(request, connection)

    return behave


def lines(pieces: Iterable[bytes], *, whole: bool = True) -> Behaviour:
    """A chunked NDJSON answer, one chunk for each of `pieces`; when not `whole`, it breaks off after them."""
    return chunks("application/x-ndjson", pieces, whole=whole)


def events(pieces: Iterable[bytes], *, whole: bool = True, **headers: str) -> Behaviour:
    """A live stream, one chunk for each of `pieces`; when not `whole`, it breaks off after them."""
    return chunks("text/event-stream; charset=utf-8", pieces, whole=whole, **headers)


def chunks(media_type: str, pieces: Iterable[bytes], *, whole: bool = True, **headers: str) -> Behaviour:
    """A chunked answer, one chunk for each of `pieces`; when not `whole`, it breaks off after them."""
    sent = {"Content-Type": media_type, "Transfer-Encoding": "chunked"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}

    def behave(_: Received, connection: socket.socket) -> bool:
        connection.sendall(_head(200, sent))
        for piece in pieces:
            connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece))
        if whole:
            connection.sendall(b"0\r\n\r\n")
        else:
            _reset(connection)
        return whole

    return behave


def first(*behaviours: Behaviour, then: Behaviour | None = None) -> Behaviour:
    """`behaviours` in turn, one per request, and after them `then` (an ordinary answer)."""
    waiting = list(behaviours)
    after = then or answer(200, {"standin": True})

    def behave(request: Received, connection: socket.socket) -> bool:
        chosen = waiting.pop(0) if waiting else after
        return chosen(request, connection)

    return behave


def _head(status: int, headers: dict[str, str]) -> bytes:
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{told}\r\n".encode()


def _read(incoming: object) -> Received | None:
    first_line = incoming.readline().decode()  # type: ignore[attr-defined]
    if not first_line.strip():
        return None
    method, target, _ = first_line.split()
    headers: dict[str, str] = {}
    while line := incoming.readline().decode("latin-1").strip():  # type: ignore[attr-defined]
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = incoming.read(int(headers.get("content-length", "0")))  # type: ignore[attr-defined]
    return Received(method, target, headers, body)


def _reset(connection: socket.socket) -> None:
    """Close with RST: the peer sees a broken connection, not an orderly end."""
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        connection.shutdown(socket.SHUT_RD)
    connection.close()
