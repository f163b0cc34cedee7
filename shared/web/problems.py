"""Every error answer: one RFC 9457 body, whatever raised it."""

from http import HTTPStatus
from typing import Any, NoReturn

import structlog
from flask import Flask, Response, g, has_request_context, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from shared.contracts.problems import CODES
from shared.web import problem_documents
from shared.web.encoding import dumps
from shared.web.problem_documents import MEDIA_TYPE as MEDIA_TYPE

_BY_STATUS = {
    400: "malformed_body",
    401: "unauthenticated",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "validation_failed",
    429: "too_many_requests",
    503: "service_unavailable",
}
log = structlog.get_logger(__name__)


class Problem(Exception):
    """A refusal with a `code` of `CODES`; `extra` joins the body, `retry_after` (seconds) the header too."""

    def __init__(self, code: str, *, headers: dict[str, str] | None = None, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra = extra
        self.headers = headers or {}

    @property
    def status(self) -> int:
        return CODES[self.code].status


def language() -> str:
    """The best of our languages for this request's `Accept-Language`; English where none fits."""
    return problem_documents.language(request.accept_languages) if has_request_context() else "en"


def respond(problem: Problem) -> Response:
    """`problem` as an answer."""
    spoken = language()
    request_id = g.get("request_id", "") if has_request_context() else ""
    document = problem_documents.document(problem.code, spoken, request_id, **problem.extra)
    headers = problem.headers | problem_documents.headers(document, spoken)
    return Response(dumps(document), problem.status, headers, content_type=MEDIA_TYPE)


def install(app: Flask) -> None:
    """Make `app` answer every error with a problem document."""

    @app.errorhandler(Problem)
    def refused(error: Problem) -> Response:
        return respond(error)

    @app.errorhandler(ValidationError)
    def invalid(error: ValidationError) -> Response:
        return respond(Problem("validation_failed", errors=error.messages))

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        extra: dict[str, Any] = {}
        data = getattr(error, "data", None)
        if status == HTTPStatus.UNPROCESSABLE_ENTITY and data:
            extra["errors"] = data.get("messages", {})
        code = _BY_STATUS.get(status)
        if code is None:
            code = "internal_error" if status >= 500 else "malformed_body"
        headers = {"Allow": ", ".join(sorted(error.valid_methods or ()))} if status == 405 else {}  # type: ignore[attr-defined]
        return respond(Problem(code, headers=headers, **extra))

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        log.exception("unexpected_error", path=request.path, error=type(error).__name__)
        return respond(Problem("internal_error"))


def invalid(field: str, message: str) -> NoReturn:
    """Refuse the request because of one `field`."""
    raise Problem("validation_failed", errors={"json": {field: [message]}})
