"""Live streams as bytes: the tests' own reader of server-sent events, on its own connections."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import orjson
import urllib3

from tests.support.api import Api, Json, Reply

T = TypeVar("T")
COMMENT = "comment"
PATIENCE_S = 15.0
SILENCE_S = 20.0
MOST_AT_ONCE = 65_536


@dataclass(frozen=True, slots=True)
class Frame:
    """One event, or a comment under the event name `comment`; `id` only if the frame itself has one."""

    event: str
    data: str
    id: str | None = None
    at_s: float = field(default_factory=time.monotonic, compare=False)

    @property
    def json(self) -> Any:
        return orjson.loads(self.data)


class Cut(Exception):
    """The connection broke before the stream's end."""


class Parser:
    """Bytes in whatever pieces to frames, as the HTML standard says; a frame without its end is none."""

    def __init__(self) -> None:
        self.retry_ms: int | None = None
        self._rest = b""
        self._event = ""
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that `data` completes."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [frame for line in lines if (frame := self._line(line.removesuffix(b"\r").decode()))]

    def _line(self, line: str) -> Frame | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "":
                return Frame(COMMENT, value)
            case "event":
                self._event = value
            case "data":
                self._data.append(value)
            case "id":
                self._id = value
            case "retry":
                self.retry_ms = int(value)
            case _:
                raise AssertionError(f"no field of a stream: {line!r}")
        return None

    def _dispatch(self) -> Frame | None:
        event, data, id_ = self._event, self._data, self._id
        self._event, self._data, self._id = "", [], None
        return Frame(event or "message", "\n".join(data), id_) if data else None


class Connection:
    """One open live stream; AssertionError with the answer when it is refused (`refused` has it).

    `after` goes into the query, `last_id` into `Last-Event-ID`; `silence_s` is how long nothing may come,
    `buffer` how many bytes the system keeps for a reader that does not read.
    """

    def __init__(
        self,
        api: Api,
        game_id: str,
        *,
        after: object = None,
        last_id: object = None,
        device: str | None = None,
        silence_s: float = SILENCE_S,
        buffer: int | None = None,
    ) -> None:
        self.parser = Parser()
        address = urlsplit(api.url)
        self._socket = socket.socket()
        self._socket.settimeout(silence_s)
        if buffer is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self._http = HTTPConnection(address.netloc)
        self._http.sock = self._socket
        headers = {"Authorization": f"Bearer {api.token}", "Accept": "text/event-stream"}
        if last_id is not None:
            headers["Last-Event-ID"] = str(last_id)
        if device is not None:
            headers["X-Device"] = device
        query = "" if after is None else f"?after={after}"
        try:
            self._socket.connect((address.hostname, address.port))
            self._http.request("GET", f"/v1/games/{game_id}/live{query}", headers=headers)
            self.response: HTTPResponse = self._http.getresponse()
        except (OSError, HTTPException) as error:
            self.close()
            raise Cut(repr(error)) from error
        self.refused: Reply | None = None
        if self.response.status != 200:
            known = urllib3.HTTPHeaderDict(self.response.getheaders())
            self.refused = Reply(self.response.status, known, self.response.read())
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, at_most: int = MOST_AT_ONCE) -> bytes:
        """What has come, at least a byte; nothing at the stream's end. Raises `Cut`."""
        try:
            return self.response.read1(at_most)
        except (OSError, HTTPException, ValueError) as error:
            raise Cut(repr(error)) from error

    def frames(self) -> Iterator[Frame]:
        """Frames as they come, up to the stream's end. Raises `Cut`."""
        while data := self.read():
            yield from self.parser.feed(data)

    def hang_up(self) -> None:
        """End what another thread reads."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.hang_up()
        self._http.close()


class Listener:
    """Reads a live stream in a thread of its own; `frames` is everything so far, `is_over` that it has ended.

    Raises AssertionError when the stream is refused.
    """

    def __init__(self, api: Api, game: Json | str, **how: Any) -> None:
        self.frames: list[Frame] = []
        self.is_over = False
        self.over_at_s = 0.0
        self.connection = Connection(api, game if isinstance(game, str) else game["id"], **how)
        refused = self.connection.refused
        assert refused is None, (refused.status, refused.body)
        self._moved = threading.Condition()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def entries(self) -> list[Json]:
        """The data of all entries so far; each frame's id is its entry's seq."""
        found = []
        for frame in self.of("entry"):
            assert frame.id == str(frame.json["entry"]["seq"])
            found.append(frame.json)
        return found

    @property
    def seqs(self) -> list[int]:
        return [data["entry"]["seq"] for data in self.entries]

    def of(self, event: str) -> list[Frame]:
        return [frame for frame in list(self.frames) if frame.event == event]

    def wait(self, condition: Callable[[], T], timeout_s: float = PATIENCE_S, what: str = "") -> T:
        """The first true value of `condition`, asked after each frame."""
        found: list[T] = []

        def holds() -> bool:
            found.append(condition())
            return bool(found[-1])

        with self._moved:
            assert self._moved.wait_for(holds, timeout_s), (
                f"not within {timeout_s:g} s: {what or self.frames[-3:]}"
            )
        return found[-1]

    def wait_for(self, version: int, timeout_s: float = PATIENCE_S) -> list[Json]:
        """The entries once there are `version` of them in all, or from where it started up to that seq."""
        return self.wait(
            lambda: self.entries if self.entries and self.seqs[-1] >= version else [],
            timeout_s,
            f"entry {version}",
        )

    def wait_over(self, timeout_s: float = PATIENCE_S) -> Json | None:
        """What its `end` said, if there was one, once the stream is over."""
        self.wait(lambda: self.is_over, timeout_s, "the stream ends")
        ends = self.of("end")
        found: Json | None = ends[-1].json if ends else None
        return found

    def close(self) -> None:
        self.connection.hang_up()
        self._thread.join(10)
        self.connection.close()

    def _run(self) -> None:
        try:
            for frame in self.connection.frames():
                with self._moved:
                    self.frames.append(frame)
                    self._moved.notify_all()
        except Cut:
            pass
        finally:
            with self._moved:
                self.is_over, self.over_at_s = True, time.monotonic()
                self._moved.notify_all()
