"""Owns looking after open streams: comments in silence, rights that run out, connections nobody reads."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic

from gateway.live import frames, metrics
from gateway.live.stream import Stream

EVERY_S = 0.5
SILENT_S = 4.5
STALLED_S = 10.0
FAREWELL_S = 10.0


@dataclass(slots=True)
class Progress:
    """How far a connection's reader was when last looked at: `taken` bytes, at second `at`."""

    taken: int
    at: float
    ended_at: float | None = None

    def is_stalled(self, handed: int, waiting: int, now: float) -> bool:
        """Whether bytes wait and none was taken for too long; `waiting` of those `handed` are not sent."""
        if waiting == 0 or handed - waiting != self.taken:
            self.taken, self.at = handed - waiting, now
        return now - self.at >= STALLED_S

    def is_overdue(self, now: float) -> bool:
        """Whether a stream that has ended is still not closed after a while; ask once it has ended."""
        self.ended_at = now if self.ended_at is None else self.ended_at
        return now - self.ended_at >= FAREWELL_S


class Upkeep:
    """Goes the round of all streams twice a second."""

    def __init__(self) -> None:
        self._streams: dict[Stream, Progress] = {}

    def add(self, stream: Stream) -> None:
        """Look after one more stream."""
        self._streams[stream] = Progress(0, monotonic())

    def remove(self, stream: Stream) -> None:
        """It is closed."""
        del self._streams[stream]

    async def run(self) -> None:
        """Go round until cancelled."""
        while True:
            await asyncio.sleep(EVERY_S)
            now, today = monotonic(), datetime.now(UTC)
            for stream, progress in list(self._streams.items()):
                _look_after(stream, progress, now, today)

    def abort(self) -> None:
        """Break off what is still open."""
        for stream in list(self._streams):
            stream.transport.abort()


def _look_after(stream: Stream, progress: Progress, now: float, today: datetime) -> None:
    listener = stream.listener
    has_ended = listener.farewell is not None
    is_stalled = progress.is_stalled(stream.handed, stream.transport.get_write_buffer_size(), now)
    if is_stalled or (has_ended and progress.is_overdue(now)):
        if not has_ended:
            metrics.DROPPED.labels("stalled").inc()
        stream.transport.abort()
    elif listener.holder.expires_at <= today:
        listener.end("unauthenticated")
    elif now - stream.written_at >= SILENT_S and listener.is_idle:
        listener.tell(frames.KEEP_ALIVE)
