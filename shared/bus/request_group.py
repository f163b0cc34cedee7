"""Owns the wire of a request stream on the answering side: reading requests, writing replies, cleaning up."""

from dataclasses import dataclass

from redis.exceptions import ResponseError

from shared.bus.connections import Command, Line, Reply

# All responders of a stream read as one consumer: each read gives other requests, and no names pile up.
# What one of them left behind is found by its idle time, never by its name.
READER = "responder"
REPLY_TTL_MS = 60_000


@dataclass(frozen=True, slots=True)
class Request:
    """One request as read; `deadline_ms` by Redis' clock."""

    entry_id: bytes
    cid: bytes
    reply_to: bytes
    deadline_ms: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Garbage:
    """An entry that is no request."""

    entry_id: bytes


class RequestGroup:
    """Commands for one stream and group, as data for `Line.exchange`."""

    def __init__(self, stream: str, group: str) -> None:
        self._stream = stream
        self._group = group

    def create(self, line: Line) -> None:
        """Make stream and group if they are missing; what is on the stream already will be read."""
        (reply,) = line.exchange([("XGROUP", "CREATE", self._stream, self._group, "0", "MKSTREAM")])
        if isinstance(reply, ResponseError) and not str(reply).startswith("BUSYGROUP"):
            raise reply

    def read(self, count: int, block_ms: int) -> Command:
        """Read up to `count` new requests, waiting for the first one."""
        return (
            *("XREADGROUP", "GROUP", self._group, READER, "COUNT", count, "BLOCK", block_ms),
            *("STREAMS", self._stream, ">"),
        )

    def claim(self, count: int, idle_ms: int) -> Command:
        """Take over up to `count` requests that were read more than `idle_ms` ago and not answered."""
        return ("XAUTOCLAIM", self._stream, self._group, READER, idle_ms, "0-0", "COUNT", count)

    def answer(self, replies: list[tuple[Request, bytes]]) -> list[Command]:
        """Write the replies; a reply stream lives on for a minute after its last reply."""
        commands: list[Command] = [
            ("XADD", request.reply_to, "*", "cid", request.cid, "body", body) for request, body in replies
        ]
        commands += [
            ("PEXPIRE", reply_to, REPLY_TTL_MS) for reply_to in {request.reply_to for request, _ in replies}
        ]
        return commands

    def finish(self, entry_ids: list[bytes]) -> list[Command]:
        """Take requests that are done with off the group and the stream."""
        if not entry_ids:
            return []
        return [("XACK", self._stream, self._group, *entry_ids), ("XDEL", self._stream, *entry_ids)]


def parse_read(reply: Reply) -> list[Request | Garbage]:
    """Requests out of the reply to `RequestGroup.read`."""
    return [_parse(entry) for entry in reply[0][1]] if reply else []


def parse_claim(reply: Reply) -> list[Request | Garbage]:
    """Requests out of the reply to `RequestGroup.claim`."""
    return [_parse(entry) for entry in reply[1]]


def _parse(entry: Reply) -> Request | Garbage:
    entry_id, fields = entry
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    try:
        request = Request(
            entry_id, values[b"cid"], values[b"reply_to"], int(values[b"deadline"]), values[b"body"]
        )
    except (KeyError, ValueError):
        return Garbage(entry_id)
    # Nobody is to have a reply written over anything but a reply stream.
    return request if request.reply_to.startswith(b"replies.") else Garbage(entry_id)
