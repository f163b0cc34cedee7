"""Every error answer: one RFC 9457 body, whatever raised it."""

from http import HTTPStatus
from typing import Any, NoReturn

import structlog
from flask import Flask, Response, g, has_request_context, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException

from shared.contracts.problems import CODES, LANGUAGES, details
from shared.web.encoding import dumps

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 1
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


def body(code: str, **extra: Any) -> dict[str, Any]:
    """The problem document of `code`, its detail in the language the request asks for."""
    entry = CODES[code]
    return {
        "type": f"/problems/{code}",
        "title": entry.title,
        "status": entry.status,
        "detail": details(language())[code],
        "code": code,
        "request_id": g.get("request_id", "") if has_request_context() else "",
        **extra,
    }


def language() -> str:
    """The best of our languages for this request's `Accept-Language`; English where none fits."""
    if not has_request_context():
        return "en"
    for tag, quality in request.accept_languages:
        primary = tag.partition("-")[0].lower()
        if quality > 0 and primary in LANGUAGES:
            return primary
    return "en"


def respond(problem: Problem) -> Response:
    """`problem` as an answer."""
    extra = dict(problem.extra)
    headers = dict(problem.headers)
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        extra.setdefault("retry_after", RETRY_AFTER_S)
    if "retry_after" in extra:
        headers["Retry-After"] = str(extra["retry_after"])
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    answer = Response(dumps(body(problem.code, **extra)), problem.status, headers, content_type=MEDIA_TYPE)
    answer.headers["Content-Language"] = language()
    answer.vary.add("Accept-Language")
    return answer


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
