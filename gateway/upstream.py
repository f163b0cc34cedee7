"""One service as the gateway sees it: asked within a time budget, again only where that is safe."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import BoundedSemaphore

import structlog
from urllib3.exceptions import (
    ConnectTimeoutError,
    EmptyPoolError,
    HTTPError,
    NewConnectionError,
    ProtocolError,
)
from urllib3.util import Timeout

from gateway import metrics
from gateway.answers import Answer, Stream
from gateway.breaker import Breaker
from gateway.connections import Pool
from gateway.headers import outward

CONNECT_S = 1.0
PLACE_WAIT_S = 0.05  # many may wait at once, and each holds a thread that others need
POOL_WAIT_S = 1  # there are as many connections as threads, so this never passes
PAUSES_S = (0.0, 0.05, 0.2)  # before each attempt
WHOLE_BYTES = 1_048_576  # up to this length an answer is taken whole, so one that breaks off can be repeated
log = structlog.get_logger(__name__)


class Unavailable(Exception):
    """The service is away, broke off, is asked too much already, or did not answer within the budget."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request to a service; `may_repeat` tells whether it may be sent again after a broken connection."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes | None
    may_repeat: Callable[[], bool]


class Upstream:
    """The service `name` behind `pool`, asked at most `places` things at once: one slow service holds no more
    threads than that, and leaves the rest to the others.
    """

    def __init__(
        self,
        name: str,
        pool: Pool,
        breaker: Breaker,
        places: int,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._pool = pool
        self._breaker = breaker
        self._places = BoundedSemaphore(places)
        self._clock = clock
        self._pause = pause

    def ask(self, question: Question, budget_s: float) -> Answer:
        """What the service answers, whatever its status; raises `Unavailable`."""
        if not self._places.acquire(timeout=PLACE_WAIT_S):
            log.warning("service_at_its_limit", to=self.name)
            raise Unavailable("no free place")
        streams = False
        try:
            answer = self._asked(question, budget_s)
            streams = isinstance(answer.body, Stream)
        finally:
            if not streams:  # a stream gives its place back when it is closed
                self._places.release()
        return answer

    def _asked(self, question: Question, budget_s: float) -> Answer:
        granted_s = self._breaker.admit(budget_s)
        if not granted_s:
            raise Unavailable("the breaker is open")
        began = self._clock()
        try:
            answer = self._attempt(question, began + granted_s)
        except EmptyPoolError as error:  # all connections are in use: nothing is known about the service
            raise Unavailable("no free connection") from error
        except HTTPError as error:
            self._breaker.failed()
            log.warning("service_unavailable", to=self.name, error=type(error).__name__)
            raise Unavailable(type(error).__name__) from error
        self._breaker.succeeded()
        metrics.asked(self.name, self._clock() - began)
        return answer

    def _attempt(self, question: Question, deadline: float) -> Answer:
        failure: HTTPError = ProtocolError("no time left")
        for pause_s in PAUSES_S:
            if pause_s:
                metrics.repeated(self.name)
                self._pause(pause_s)
            left_s = deadline - self._clock()
            if left_s <= 0:
                break
            try:
                return self._once(question, left_s)
            except (NewConnectionError, ConnectTimeoutError) as error:  # nothing was sent
                failure = error
            except ProtocolError as error:
                failure = error
                if not question.may_repeat():
                    break
        raise failure

    def _once(self, question: Question, left_s: float) -> Answer:
        response = self._pool.urlopen(
            question.method,
            question.target,
            question.body,
            question.headers,
            retries=False,
            redirect=False,
            assert_same_host=False,
            timeout=Timeout(connect=min(CONNECT_S, left_s), read=left_s),
            pool_timeout=POOL_WAIT_S,
            preload_content=False,
            decode_content=False,
        )
        headers = outward(response.headers.iteritems())
        length = response.length_remaining
        if length is None or length > WHOLE_BYTES:
            return Answer(response.status, headers, Stream(response, self._places.release))
        body = response.read(decode_content=False)
        response.release_conn()
        return Answer(response.status, headers, [body] if body else [])
