"""Owns answering the requests of a stream: read in batches, handled in order, answered in one round trip."""

import time
from collections.abc import Callable, Sequence
from threading import Event as StopEvent
from typing import Any

import orjson
import structlog
from redis.exceptions import RedisError, ResponseError

from shared.bus.backoff import Backoff
from shared.bus.clock import RedisClock
from shared.bus.connections import Command, Line, Reply
from shared.bus.metrics import REQUESTS_SERVED
from shared.bus.request_group import Garbage, Request, RequestGroup, parse_claim, parse_read

log = structlog.get_logger(__name__)

BATCH = 64
BLOCK_S = 0.5
# How long a batch may keep its first answer back, and its last request from other responders.
FLUSH_AFTER_S = 0.005
BATCH_TIME_S = 0.1
CLAIM_EVERY_S = 0.5
CLAIM_IDLE_MS = 1_000

FAILED = orjson.dumps({"error": {"code": "internal_error"}})
Handle = Callable[[Any], dict[str, Any]]


class Responder:
    """Answers what is asked on `stream` with `handle(body)`; any number of responders share a group.

    A request whose deadline has passed is dropped unread. What a killed responder left is taken over by
    another (or by itself, started again) within two seconds while somebody still waits for it, so `handle`
    must bear the same request twice. An exception of `handle` is logged and answered as `internal_error`.
    """

    def __init__(self, redis_url: str, stream: str, group: str, handle: Handle) -> None:
        self._line = Line(redis_url, BLOCK_S)
        self._stream = stream
        self._group = RequestGroup(stream, group)
        self._handle = handle
        self._clock = RedisClock()
        self._count = BATCH
        self._claimed_s = 0.0
        self._away = Backoff()

    def run(self, stop: StopEvent) -> None:
        """Answer until `stop` is set; what has been read by then is still answered."""
        while not stop.is_set():
            try:
                self._group.create(self._line)
                self._serve(stop)
            except (RedisError, OSError) as error:
                log.warning("responder_without_redis", stream=self._stream, error=str(error))
                self._line.close()
                stop.wait(self._away.next_s())
        self._line.close()

    def _serve(self, stop: StopEvent) -> None:
        """Each round trip takes the last answers along and waits for the next requests."""
        answers: list[Command] = []
        while not stop.is_set():
            if self._clock.is_stale:
                self._clock.measure(self._line)
            reads = self._reads()
            replies = self._line.exchange(answers + reads)
            self._report(answers, replies)
            answers = self._work(self._requests(replies[len(answers) :]))
            self._away.reset()
        self._report(answers, self._line.exchange(answers))

    def _reads(self) -> list[Command]:
        read = self._group.read(self._count, int(BLOCK_S * 1000))
        now_s = time.monotonic()
        if now_s - self._claimed_s < CLAIM_EVERY_S:
            return [read]
        self._claimed_s = now_s
        return [self._group.claim(self._count, CLAIM_IDLE_MS), read]

    def _requests(self, replies: Sequence[Reply]) -> list[Request | Garbage]:
        for reply in replies:
            if isinstance(reply, ResponseError):
                raise reply  # NOGROUP after a flush: the group is created again
        claimed = parse_claim(replies[0]) if len(replies) > 1 else []
        return claimed + parse_read(replies[-1])

    def _work(self, requests: Sequence[Request | Garbage]) -> list[Command]:
        """Handle `requests` in order; returns the commands that answer those not answered on the way."""
        started_s = flushed_s = time.monotonic()
        replies: list[tuple[Request, bytes]] = []
        finished: list[bytes] = []
        for request in requests:
            now_s = time.monotonic()
            if replies and now_s - flushed_s > FLUSH_AFTER_S:
                commands = self._group.answer(replies) + self._group.finish(finished)
                self._report(commands, self._line.exchange(commands))
                replies, finished, flushed_s = [], [], now_s
            finished.append(request.entry_id)
            if isinstance(request, Garbage):
                self._count_served("malformed")
            elif request.deadline_ms < self._clock.at_ms(now_s):
                self._count_served("expired")
            else:
                replies.append((request, self._answer(request.body)))
        self._adapt(len(requests), time.monotonic() - started_s)
        return self._group.answer(replies) + self._group.finish(finished)

    def _answer(self, body: bytes) -> bytes:
        try:
            reply = orjson.dumps(self._handle(orjson.loads(body)))
        except Exception:  # whatever a handler does, the asking side gets an answer
            log.exception("request_failed", stream=self._stream)
            self._count_served("failed")
            return FAILED
        self._count_served("answered")
        return reply

    def _adapt(self, handled: int, took_s: float) -> None:
        """Read no more at once than can be answered soon: the rest is for other responders."""
        if handled:
            self._count = max(1, min(BATCH, int(BATCH_TIME_S * handled / max(took_s, 1e-6))))

    def _report(self, commands: Sequence[Command], replies: Sequence[Reply]) -> None:
        for command, reply in zip(commands, replies, strict=False):
            if isinstance(reply, ResponseError):
                log.error("reply_not_written", command=command[0], stream=self._stream, error=str(reply))

    def _count_served(self, outcome: str) -> None:
        REQUESTS_SERVED.labels(self._stream, outcome).inc()
