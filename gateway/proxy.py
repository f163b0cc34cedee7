"""Passes a request on to the service its route names, and the answer back."""

from collections.abc import Mapping
from typing import Any

import orjson

from gateway.answers import Answer
from gateway.headers import inward
from gateway.routes import Repeat, Route
from gateway.upstream import Question, Unavailable, Upstream
from gateway.visitors import Visitor
from shared.web import problems
from shared.web.problems import Problem

_PROBLEM_BY_STATUS = {
    400: "malformed_body",
    404: "not_found",
    413: "body_too_large",
    415: "unsupported_media_type",
}


class Proxy:
    """The services behind, by name."""

    def __init__(self, upstreams: Mapping[str, Upstream]) -> None:
        self._upstreams = upstreams

    def forward(self, route: Route, visitor: Visitor, environ: dict[str, Any], body: bytes | None) -> Answer:
        """What the service behind `route` answers.

        Raises `Problem`: `service_unavailable`, or what fits when the service's server refused in its own
        words, before its own code could.
        """
        question = Question(
            environ["REQUEST_METHOD"],
            target(environ),
            inside(environ, visitor, body),
            body,
            lambda: _may_repeat(route, body),
        )
        try:
            answer = self._upstreams[route.service].ask(question, route.budget_s)
        except Unavailable as error:
            raise Problem("service_unavailable") from error
        refused_in_its_own_words(answer)
        return answer


def target(environ: dict[str, Any]) -> str:
    """The address that the request in `environ` asks for."""
    query = environ.get("QUERY_STRING")
    return f"{environ['PATH_INFO']}?{query}" if query else str(environ["PATH_INFO"])


def inside(environ: dict[str, Any], visitor: Visitor, body: bytes | None) -> dict[str, str]:
    """The headers with which a request goes on to a service."""
    headers = inward(environ)
    headers["X-Request-Id"] = visitor.request_id
    headers["traceparent"] = visitor.traceparent
    headers["X-Forwarded-For"] = visitor.address
    if body is not None:
        headers["Content-Type"] = "application/json"
    return headers


def refused_in_its_own_words(answer: Answer) -> None:
    """Raises the `Problem` that fits in place of a refusal that is no problem document."""
    if answer.status >= 400 and answer.media_type() != problems.MEDIA_TYPE:
        answer.abandon()
        raise Problem(_problem(answer.status))


def _may_repeat(route: Route, body: bytes | None) -> bool:
    if route.repeat is Repeat.WITH_ID:
        return _has_id(body)
    return route.method == "GET" or route.repeat is Repeat.ALWAYS


def _has_id(body: bytes | None) -> bool:
    try:
        document = orjson.loads(body or b"")
    except ValueError:
        return False
    return isinstance(document, dict) and isinstance(document.get("id"), str)


def _problem(status: int) -> str:
    if status in (502, 503, 504):
        return "service_unavailable"
    return _PROBLEM_BY_STATUS.get(status, "internal_error")
