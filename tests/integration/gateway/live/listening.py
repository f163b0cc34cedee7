"""A client of the live view: one connection, read by a thread, everything kept with the time it came."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any

from tests.support.waiting import until

RECEIVE_BUFFER_BYTES = 65_536


@dataclass
class Said:
    """An event of the stream; a comment has the name `:` and its text as data."""

    at_s: float
    name: str
    data: Any
    id: str | None = None
    retry: str | None = None


class Listening:
    """`said` grows while the stream is open; `is_over` once it has ended, `is_whole` if in order."""

    def __init__(self, port: int, game_id: str, token: str, *, query: str = "", **headers: str) -> None:
        self.said: list[Said] = []
        self.is_over = False
        self.is_whole = False
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        self._connection = HTTPConnection("127.0.0.1", port, timeout=30)
        # With a stream that is closed at its end, the answer has the connection to itself.
        self.socket = self._connection.sock = _connect(port)
        self._connection.request(
            "GET", f"/v1/games/{game_id}/live{query}", headers={"Authorization": f"Bearer {token}"} | sent
        )
        self._may_read = threading.Event()
        self._may_read.set()
        self.answer: HTTPResponse = self._connection.getresponse()
        if self.answer.status == 200:
            threading.Thread(target=self._read, daemon=True).start()

    def names(self) -> list[str]:
        return [it.name for it in list(self.said)]

    def entries(self) -> list[Any]:
        """The data of the entries so far."""
        return [it.data for it in list(self.said) if it.name == "entry"]

    def seqs(self) -> list[int]:
        """The entries so far by seq; each must have carried it as its id."""
        found = [(it.id, it.data["entry"]["seq"]) for it in list(self.said) if it.name == "entry"]
        assert [int(event_id or 0) for event_id, _ in found] == [seq for _, seq in found]
        return [seq for _, seq in found]

    def devices(self) -> list[dict[str, Any]]:
        """The newest list of devices."""
        lists = [it.data["devices"] for it in list(self.said) if it.name == "presence"]
        return lists[-1] if lists else []

    def wait(self, name: str, timeout_s: float = 15.0) -> Said:
        """The first event with this name."""
        until(lambda: name in self.names(), timeout_s, f"{name} comes")
        return next(it for it in self.said if it.name == name)

    def wait_seq(self, seq: int, timeout_s: float = 15.0) -> None:
        """Wait until the entry `seq` is there."""
        until(lambda: self.seqs()[-1:] == [seq], timeout_s, f"entry {seq} comes")

    def wait_end(self, timeout_s: float = 15.0) -> Said:
        """The event `end`, after which the stream must have closed in order."""
        said = self.wait("end", timeout_s)
        until(lambda: self.is_over, timeout_s, "the stream closes")
        assert self.is_whole
        assert self.names()[-1] == "end"
        return said

    def pause(self) -> None:
        """Take no more than what is on its way into this process."""
        self._may_read.clear()

    def resume(self) -> None:
        """Take everything again."""
        self._may_read.set()

    def close(self) -> None:
        """Hang up."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self._connection.close()

    def _read(self) -> None:
        fields: dict[str, str] = {}
        try:
            for line in self._lines():
                name, _, value = line.decode().partition(":")
                if name:
                    fields[name] = value.removeprefix(" ")
                elif value:
                    fields |= {"event": ":", "data": json.dumps(value.removeprefix(" "))}
                else:
                    self._keep(fields)
                    fields = {}
            self.is_whole = True
        except (OSError, HTTPException, ValueError, AttributeError):
            pass
        finally:
            self.is_over = True

    def _lines(self) -> Iterator[bytes]:
        """Lines as they come; raises where the answer breaks off."""
        rest = b""
        while self._may_read.wait(60) and (piece := self.answer.read1(65_536)):
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines

    def _keep(self, fields: dict[str, str]) -> None:
        data = json.loads(fields.get("data", "null"))
        self.said.append(Said(time.monotonic(), fields["event"], data, fields.get("id"), fields.get("retry")))


def _connect(port: int) -> socket.socket:
    """A connection with little room, so that what is not read does not get far."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", port))
    return connection
