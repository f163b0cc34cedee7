"""HTTP as bytes on a socket, for requests that no client library would send."""

import re
import socket
from urllib.parse import urlsplit

TIMEOUT_S = 15.0
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


def exchange(url: str, request: bytes, *, ends: bool = False) -> bytes:
    """What the server at `url` says to `request` until it closes; `ends` tells it that no more will come."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=TIMEOUT_S) as connection:
        try:
            connection.sendall(request)
            if ends:
                connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it has answered already and hung up; what it said can still be read
        return _rest(connection)


def statuses(answered: bytes) -> list[int]:
    """The statuses of all answers in `answered`."""
    return [int(status) for status in STATUS.findall(answered)]


def _rest(connection: socket.socket) -> bytes:
    pieces = []
    while True:
        try:
            piece = connection.recv(65_536)
        except ConnectionResetError:
            break
        if not piece:
            break
        pieces.append(piece)
    return b"".join(pieces)
