"""The gateway as a WSGI application: what happens to a request, in order."""

import time
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

import structlog

from gateway import bodies, cors, metrics, queries
from gateway.admission import Admission
from gateway.answers import Answer
from gateway.matching import Matcher, Methods
from gateway.pages import Pages
from gateway.proxy import Proxy
from gateway.routes import Allowance, Auth
from gateway.visitors import Visitor, visitor
from shared.web.problems import Problem

StartResponse = Callable[[str, list[tuple[str, str]]], Any]
_ALWAYS = [
    cors.ORIGIN,
    cors.EXPOSED,
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
]
_STATUS_LINES = {int(status): f"{int(status)} {status.phrase}" for status in HTTPStatus}
log = structlog.get_logger(__name__)


class Edge:
    """Plain WSGI, since what every request passes through has to be cheap; Flask serves the own pages."""

    def __init__(
        self, matcher: Matcher, admission: Admission, proxy: Proxy, pages: Pages, trusted_proxies: int
    ) -> None:
        self._matcher = matcher
        self._admission = admission
        self._proxy = proxy
        self._pages = pages
        self._trusted_proxies = trusted_proxies

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()
        guest = visitor(environ, self._trusted_proxies)
        methods = self._matcher.find(environ["PATH_INFO"])
        try:
            answer = self._answer(environ, guest, methods)
        except Problem as problem:
            answer = self._pages.refusal(environ, guest.request_id, problem)
        except Exception:  # whatever went wrong, a client gets a problem document
            log.exception("unexpected_error", path=environ["PATH_INFO"], request_id=guest.request_id)
            answer = self._pages.refusal(environ, guest.request_id, Problem("internal_error"))
        metrics.answered(_name(environ, methods), answer.status, time.perf_counter() - began)
        status = _STATUS_LINES.get(answer.status) or f"{answer.status} Unknown"
        start_response(status, [*answer.headers, *_ALWAYS, ("X-Request-Id", guest.request_id)])
        return answer.body

    def _answer(self, environ: dict[str, Any], guest: Visitor, methods: Methods | None) -> Answer:
        method: str = environ["REQUEST_METHOD"]
        if methods is None:
            self._admission.admit(guest, Allowance.REQUESTS)
            queries.check(environ.get("QUERY_STRING", ""))
            return self._pages.answer(environ, guest.request_id)
        if method == "OPTIONS":
            return Answer(204, cors.preflight(methods))
        route = methods.get(method)
        self._admission.admit(guest, route.allowance if route else Allowance.REQUESTS)
        if route is None:
            raise Problem("method_not_allowed", headers={"Allow": cors.allow(methods)})
        queries.check(environ.get("QUERY_STRING", ""))
        body = bodies.read(environ)
        answer = self._proxy.forward(route, guest, environ, body if route.takes_body else None)
        if route.auth is Auth.BEARER and answer.status < HTTPStatus.BAD_REQUEST:
            self._admission.accepted(guest)
        return answer


def _name(environ: dict[str, Any], methods: Methods | None) -> str:
    route = methods.get(environ["REQUEST_METHOD"]) if methods else None
    return route.name if route else "other"
