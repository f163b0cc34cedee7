"""Owns the thread that reads this process's reply stream and hands each reply to whoever waits for it."""

import threading

import structlog
from redis.exceptions import RedisError, ResponseError

from shared.bus.asks import Asks
from shared.bus.backoff import Backoff
from shared.bus.connections import Line, Reply
from shared.bus.positions import START, Position

log = structlog.get_logger(__name__)

BATCH = 256
BLOCK_S = 1.0


class ReplyReader:
    """Reads `stream` from its very start: the name is this process's own, so that no reply is older.

    `position` is the last entry read.
    """

    def __init__(self, url: str, stream: str, asks: Asks) -> None:
        self.stream = stream
        self.position: Position = START
        self._line = Line(url, BLOCK_S)
        self._asks = asks
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"read {stream}", daemon=True)

    def start(self) -> None:
        """Begin reading."""
        self._thread.start()

    def stop(self) -> None:
        """Read no more once the current read has ended."""
        self._stopped.set()

    def join(self, timeout_s: float) -> None:
        """Wait for the current read to end."""
        self._thread.join(timeout_s)

    def _run(self) -> None:
        backoff = Backoff()
        while not self._stopped.is_set():
            try:
                self._read()
            except (RedisError, OSError) as error:
                log.warning("replies_not_read", stream=self.stream, error=str(error))
                self._line.close()
                self._stopped.wait(backoff.next_s())
            else:
                backoff.reset()
        self._line.close()

    def _read(self) -> None:
        block_ms = int(BLOCK_S * 1000)
        read = ("XREAD", "COUNT", BATCH, "BLOCK", block_ms, "STREAMS", self.stream, str(self.position))
        (reply,) = self._line.exchange([read])
        if isinstance(reply, ResponseError):
            raise reply
        if reply is None:
            if len(self._asks):
                self._follow_a_clock_set_back()
            return
        entries = reply[0][1]
        for _, fields in entries:
            self._hand_over(fields)
        self.position = Position.parse(entries[-1][0])

    def _hand_over(self, fields: Reply) -> None:
        values = dict(zip(fields[::2], fields[1::2], strict=True))
        self._asks.settle(values.get(b"cid", b""), values.get(b"body"), "the answer came without a body")

    def _follow_a_clock_set_back(self) -> None:
        """After a flush and a clock set back, new replies have lower ids than the last one read."""
        (reply,) = self._line.exchange([("XINFO", "STREAM", self.stream)])
        if isinstance(reply, ResponseError):  # no such key: nothing has been answered since it expired
            return
        top = dict(zip(reply[::2], reply[1::2], strict=True))[b"last-generated-id"]
        if Position.parse(top) < self.position:
            self.position = START
