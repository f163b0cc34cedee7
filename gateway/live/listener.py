"""Owns one listener's place in the log, and what waits to be written to it. No input or output here.

An entry at or below the position is passed over, the next one is queued, anything further is a gap that the
log fills. So lost, doubled and reordered events all come out as the log, once and in order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gateway.live import frames, metrics
from gateway.live.frames import Frame
from gateway.live.rights import Holder

MAX_FRAMES = 256
MAX_BYTES = 2**20


@dataclass(slots=True, eq=False)
class Listener:
    """`position` is the seq of the last entry given out; `wake` is called when there is something to do."""

    holder: Holder
    position: int
    wake: Callable[[], None] = field(default=lambda: None)
    farewell: bytes | None = None
    ended_by: str | None = None
    _heard: int = 0
    # A log that nobody has read since joining may hold anything.
    _is_in_doubt: bool = True
    _is_reading: bool = False
    _queue: list[bytes] = field(default_factory=list)
    _queued_bytes: int = 0
    _shown: bytes | None = None

    @property
    def is_behind(self) -> bool:
        """Whether the log has, or may have, what this listener has not been given."""
        return self._is_in_doubt or self._heard > self.position

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits to be written."""
        return not self._queue and self._shown is None

    def offer(self, frame: Frame) -> None:
        """An entry has been added to the log."""
        if frame.seq == self.position + 1 and not self._is_reading and not self.is_behind:
            self.position = frame.seq
            self.tell(frame.data)
        else:
            self.hear(frame.seq)

    def hear(self, seq: int) -> None:
        """The log has reached `seq`, no matter with what."""
        if seq > self._heard:
            self._heard = seq
            if self.is_behind:
                self.wake()

    def doubt(self) -> None:
        """Something may have been missed."""
        self._is_in_doubt = True
        self.wake()

    def begin_reading(self) -> int:
        """The log is about to be read from the position that this returns; `fill` ends it."""
        self._is_in_doubt = False
        self._is_reading = True
        return self.position

    def fill(self, page: Sequence[Frame], *, has_more: bool) -> list[bytes]:
        """What of a page of the log is to be written now: it goes out at the reader's pace, never queued."""
        self._is_reading = False
        self._is_in_doubt |= has_more
        taken = []
        for frame in page:
            if frame.seq == self.position + 1:
                self.position = frame.seq
                taken.append(frame.data)
        return taken

    def tell(self, data: bytes) -> None:
        """Queue `data`; a queue that grows beyond its bounds ends the stream instead."""
        if self.farewell is not None:
            return
        if len(self._queue) >= MAX_FRAMES or self._queued_bytes + len(data) > MAX_BYTES:
            self.end("too_slow")
            return
        self._queue.append(data)
        self._queued_bytes += len(data)
        self.wake()

    def show(self, data: bytes) -> None:
        """Write `data` once everything queued is, unless something newer to show comes before that."""
        if self.farewell is None:
            self._shown = data
            self.wake()

    def take(self) -> list[bytes]:
        """Everything that waits, oldest first; nothing waits then."""
        taken, self._queue, self._queued_bytes = self._queue, [], 0
        if self._shown is not None:
            taken.append(self._shown)
            self._shown = None
        return taken

    def end(self, code: str, retry_ms: int | None = None) -> None:
        """Close the stream for the reason `code`; what is queued is not written any more."""
        if self.farewell is None:
            self.ended_by = code
            self.farewell = frames.end(code, retry_ms)
            self.take()
            metrics.DROPPED.labels(code).inc()
            self.wake()
