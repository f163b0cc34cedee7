"""A listener to one game's live stream that costs the load generator little."""

import asyncio
import time
from collections.abc import Callable

Arrived = Callable[[str, int, float], None]


class Listener:
    """One open stream; `arrived` is told the game, the seq and the moment of each entry."""

    def __init__(self, game_id: str, arrived: Arrived) -> None:
        self._game_id = game_id
        self._arrived = arrived
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self.comments = 0

    async def open(self, host: str, port: int, token: str, after: int) -> None:
        """Connect and read the head of the answer; raises `RuntimeError` when it is not a stream."""
        reader, self._writer = await asyncio.open_connection(host, port, limit=2**20)
        head = [
            f"GET /v1/games/{self._game_id}/live?after={after} HTTP/1.1",
            f"Host: {host}",
            f"Authorization: Bearer {token}",
        ]
        self._writer.write("\r\n".join([*head, "", ""]).encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"a live stream answered {answer.splitlines()[0].decode()}")
        self._reading = asyncio.create_task(self._read(reader))

    @property
    def is_open(self) -> bool:
        """Whether the stream has not ended."""
        return self._reading is not None and not self._reading.done()

    async def close(self) -> None:
        """End the stream."""
        if self._reading is not None:
            self._reading.cancel()
        if self._writer is not None:
            self._writer.close()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Lines of the stream, whatever chunks carry them: a chunk's own lines look like none of an event."""
        while line := await reader.readline():
            if line.startswith(b"id:"):
                self._arrived(self._game_id, int(line[3:]), time.perf_counter())
            elif line.startswith(b":"):
                self.comments += 1


def percentile_ms(seconds: list[float], share: float) -> float:
    """The smallest of `seconds` whose share reaches `share`, in milliseconds."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000
