"""What happens to a request at the gateway, in order."""

import io
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import structlog

from gateway import bodies, cors, metrics, queries
from gateway.admission import Admission
from gateway.answers import Answer, Stream
from gateway.matching import Matcher, Methods
from gateway.pages import Pages
from gateway.proxy import Proxy
from gateway.routes import Allowance, Auth, Route
from gateway.visitors import Visitor, visitor
from shared.web.problems import Problem

StartResponse = Callable[[str, list[tuple[str, str]]], Any]
_ALWAYS = [
    cors.ORIGIN,
    cors.EXPOSED,
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]
log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Passage:
    """One request on its way through, `began` by the clock of `time.perf_counter`."""

    environ: dict[str, Any]
    visitor: Visitor
    methods: Methods | None
    began: float

    @property
    def route(self) -> Route | None:
        """The route it names; None for an own page and for a method that the address does not take."""
        return self.methods.get(self.environ["REQUEST_METHOD"]) if self.methods else None

    def named(self) -> dict[str, str]:
        """What a log may say about it."""
        return {"path": self.environ["PATH_INFO"], "request_id": self.visitor.request_id}

    def set_body(self, body: bytes) -> None:
        """Its body is here: now it can begin."""
        self.environ["wsgi.input"] = io.BytesIO(body)
        self.began = time.perf_counter()


class Edge:
    """Plain functions of an environ, since what every request passes through has to be cheap; Flask serves
    the own pages.
    """

    def __init__(
        self, matcher: Matcher, admission: Admission, proxy: Proxy, pages: Pages, trusted_proxies: int
    ) -> None:
        self._matcher = matcher
        self._admission = admission
        self._proxy = proxy
        self._pages = pages
        self._trusted_proxies = trusted_proxies

    def enter(self, environ: dict[str, Any]) -> Passage:
        """A request as it comes in; nothing is decided yet."""
        methods = self._matcher.find(environ["PATH_INFO"])
        return Passage(environ, visitor(environ, self._trusted_proxies), methods, time.perf_counter())

    def answer(self, passage: Passage) -> Answer:
        """The whole answer, whatever happens; waits for the service behind."""
        try:
            answer = self._answer(passage)
        except Problem as problem:
            answer = self.refusal(passage, problem)
        except Exception:  # whatever went wrong, a client gets a problem document
            log.exception("unexpected_error", **passage.named())
            answer = self.refusal(passage, Problem("internal_error"))
        return self.leave(passage, answer)

    def admit(self, passage: Passage, route: Route) -> bytes | None:
        """The body of a request to `route` that may go on to its service; raises `Problem`."""
        environ = passage.environ
        self._admission.admit(passage.visitor, route.allowance)
        queries.check(environ.get("QUERY_STRING", ""))
        body = bodies.read(environ)
        return body if route.takes_body else None

    def answered(self, passage: Passage, route: Route, status: int) -> None:
        """Learn from what the service behind `route` said; raises `Problem` for one guess too many."""
        if route.auth is Auth.BEARER and status < HTTPStatus.BAD_REQUEST:
            self._admission.accepted(passage.visitor)
        elif route.allowance is Allowance.GUESSES and status == HTTPStatus.NOT_FOUND:
            self._admission.guessed(passage.visitor)

    def refusal(self, passage: Passage, problem: Problem) -> Answer:
        """`problem` as the answer, still without what every answer has."""
        return self._pages.refusal(passage.environ, passage.visitor.request_id, problem)

    def leave(self, passage: Passage, answer: Answer) -> Answer:
        """`answer` with the headers that every answer has; counted."""
        name = passage.route.name if passage.route else "other"
        metrics.answered(name, answer.status, time.perf_counter() - passage.began)
        answer.headers += [*_ALWAYS, ("X-Request-Id", passage.visitor.request_id)]
        return answer

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """The same as a WSGI application, for whoever has a request but no connection."""
        answer = self.answer(self.enter(environ))
        start_response(f"{answer.status} {_phrase(answer.status)}", answer.headers)
        assert isinstance(answer.body, list | Stream)
        return answer.body

    def _answer(self, passage: Passage) -> Answer:
        environ, methods, route = passage.environ, passage.methods, passage.route
        if methods is None:
            self._admission.admit(passage.visitor, Allowance.REQUESTS)
            queries.check(environ.get("QUERY_STRING", ""))
            return self._pages.answer(environ, passage.visitor.request_id)
        if environ["REQUEST_METHOD"] == "OPTIONS":
            return Answer(204, cors.preflight(methods))
        if route is None:
            self._admission.admit(passage.visitor, Allowance.REQUESTS)
            raise Problem("method_not_allowed", headers={"Allow": cors.allow(methods)})
        body = self.admit(passage, route)
        answer = self._proxy.forward(route, passage.visitor, environ, body)
        self.answered(passage, route, answer.status)
        return answer


def _phrase(status: int) -> str:
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "Unknown"
