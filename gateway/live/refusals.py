"""Owns every refusal of the live process: problem documents, its own and those that sessions gave."""

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import structlog
from aiohttp import web
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from gateway.live.requests import Invalid, request_id
from gateway.live.sessions import Away, Refused
from shared.web import problem_documents

# Set in a request whose answer has begun: a second one would end up in the middle of the first.
STREAMING = "streaming"
PASSED_ON = ("Content-Type", "Content-Language", "Retry-After", "Vary", "WWW-Authenticate")
_BY_STATUS = {404: "not_found", 405: "method_not_allowed"}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
log = structlog.get_logger(__name__)


class Problem(Exception):
    """A refusal with a `code` of the one list of codes; `extra` joins the body."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra = extra


@web.middleware
async def refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answers with a problem document instead of an exception, whichever it is."""
    request["id"] = request_id(request)
    try:
        return await handler(request)
    except Problem as problem:
        return _answer(request, problem.code, **problem.extra)
    except Invalid as error:
        return _answer(request, "validation_failed", errors=error.errors)
    except Refused as refused:
        headers = {name: refused.headers[name] for name in PASSED_ON if name in refused.headers}
        headers["X-Request-Id"] = request["id"]
        return web.Response(status=refused.status, body=refused.body, headers=headers)
    except Away:
        return _answer(request, "service_unavailable")
    except web.HTTPException as error:
        answer = _answer(request, _BY_STATUS.get(error.status, "malformed_body"))
        if "Allow" in error.headers:
            answer.headers["Allow"] = error.headers["Allow"]
        return answer
    except Exception as error:
        if request.get(STREAMING):
            raise
        log.exception("unexpected_error", path=request.path, error=type(error).__name__)
        return _answer(request, "internal_error")


def _answer(request: web.Request, code: str, **extra: Any) -> web.Response:
    accepted = parse_accept_header(request.headers.get("Accept-Language"), LanguageAccept)
    spoken = problem_documents.language(accepted)
    document = problem_documents.document(code, spoken, request["id"], **extra)
    return web.Response(
        status=document["status"],
        body=orjson.dumps(document),
        headers=problem_documents.headers(document, spoken) | {"X-Request-Id": request["id"]},
        content_type=problem_documents.MEDIA_TYPE,
    )
