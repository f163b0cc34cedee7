"""Watching a game: entries once and in order over connections that come and go."""

import random
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from gateway.client.calls import Calls
from gateway.client.contract import EntryWithTable
from gateway.client.event_stream import EventStream, Message, TooLong
from gateway.client.live import Ended, EntrySeen, LiveEvent, PresenceSeen, from_log, told
from gateway.client.patience import FIRST_RETURN_S, SHORTEST_RETURN_S, return_pause_s
from gateway.client.problems import ApiProblem, ClientError, Lost, UnexpectedAnswer, Unreachable
from gateway.client.transport import Request, device_header, path

MEDIA_TYPE = "text/event-stream"
SILENCE_S = 20.0  # three comments missed
STEADY_S = 5.0
# What the stream ends with when only a new connection tells more: a new token, or that the right is gone.
_AT_ONCE = frozenset({"unauthenticated", "not_found"})


class Watch:
    """One reader of one game's live stream; `log` reads the entries after a `seq` where one is missing."""

    def __init__(
        self,
        calls: Calls,
        game_id: str,
        after: int,
        device: str | None,
        log: Callable[[int], Iterator[EntryWithTable]],
        connected: Callable[[bool], None],
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._calls = calls
        self._path = path("games", game_id, "live")
        self._headers = device_header(device) if device else {}
        self._log = log
        self._connected = connected
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._seq = after
        self._retry_s = FIRST_RETURN_S
        self._attempt = 0
        self._was_connected = False

    def events(self) -> Iterator[LiveEvent]:
        """What `Following.watch` promises."""
        while True:
            pause_asked_s = None
            try:
                ended = yield from self._one_stream()
            except ClientError as failure:
                if not self._was_connected or not _passes(failure):
                    raise
                if isinstance(failure, ApiProblem):
                    pause_asked_s = failure.retry_after_s
            else:
                pause_asked_s = ended.retry_after_s
                if ended.code in _AT_ONCE and not self._attempt:
                    self._attempt += 1
                    continue
            self._attempt += 1
            self._connected(False)
            wait_s = return_pause_s(self._attempt, self._retry_s, self._chance())
            self._sleep(wait_s if pause_asked_s is None else pause_asked_s)

    def _one_stream(self) -> Generator[LiveEvent, None, Ended]:
        """One connection, until the server ends it; raises `Lost` where it breaks."""
        headers = {"Last-Event-ID": str(self._seq)} | self._headers
        request = Request(
            "GET", self._path, accept=MEDIA_TYPE, headers=headers, repeatable=True, read_timeout_s=SILENCE_S
        )
        with closing(self._calls.stream(request)) as pieces:
            self._was_connected = True
            self._connected(True)
            began_s = self._clock()
            stream = EventStream()
            for piece in pieces:
                for message in self._fed(stream, piece):
                    ended = yield from self._taken(message)
                    if ended is not None:
                        return ended
                if self._clock() - began_s >= STEADY_S:
                    self._attempt = 0
        return Ended("closed", None)

    def _fed(self, stream: EventStream, piece: bytes) -> list[Message]:
        try:
            messages = stream.feed(piece)
        except TooLong as error:
            raise UnexpectedAnswer(self._calls.url, 200, str(error)) from error
        if stream.retry_ms is not None:
            self._retry_s = max(stream.retry_ms / 1000, SHORTEST_RETURN_S)
        return messages

    def _taken(self, message: Message) -> Generator[LiveEvent, None, Ended | None]:
        try:
            happened = told(message)
        except (ValueError, KeyError, TypeError) as error:
            reason = f"no sense in an event {message.event}"
            raise UnexpectedAnswer(self._calls.url, 200, reason) from error
        match happened:
            case Ended():
                return happened
            case EntrySeen():
                yield from self._entry(happened)
            case PresenceSeen():
                yield happened
        return None

    def _entry(self, seen: EntrySeen) -> Iterator[EntrySeen]:
        """`seen`, and before it whatever is missing in between."""
        if seen.entry["seq"] > self._seq + 1:
            for item in self._log(self._seq):
                yield from self._next(from_log(item))
        yield from self._next(seen)

    def _next(self, seen: EntrySeen) -> Iterator[EntrySeen]:
        seq = seen.entry["seq"]
        if seq <= self._seq:
            return
        if seq > self._seq + 1:
            raise Lost(self._calls.url, f"entry {self._seq + 1} is missing")
        self._seq = seq
        self._attempt = 0
        yield seen


def _passes(failure: ClientError) -> bool:
    """Whether a listener that was connected before may hope to be so again."""
    match failure:
        case Unreachable():
            return True
        case ApiProblem() | UnexpectedAnswer():
            return failure.status == 429 or failure.status >= 500
    return False
