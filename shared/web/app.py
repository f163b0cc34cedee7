"""The Flask app factory that every service starts from."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import structlog
from flask import Flask, Response, g, request
from flask_smorest import Api, Blueprint
from prometheus_client import Histogram, generate_latest
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from shared.observability.metrics import registry
from shared.storage.ids import new_id
from shared.web import encoding, openapi, problems
from shared.web.wire import BODY_LIMIT, REQUEST_ID, TRACEPARENT

METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
log = structlog.get_logger(__name__)
SECONDS = Histogram(
    "ninety8_http_request_seconds",
    "Seconds from request to answer, by service, route and status",
    ["service", "method", "route", "status"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing readiness depends on: `ok()` is quick and never raises what it cannot name."""

    name: str
    ok: Callable[[], bool]


def create_app(
    service: str,
    title: str,
    blueprints: Iterable[Blueprint],
    checks: Iterable[Check] = (),
) -> Flask:
    """An app with request ids, problem documents, JSON guards, OpenAPI 3.1, `/live`, `/ready`, `/metrics`."""
    app = Flask(service, static_folder=None)
    app.url_map.strict_slashes = False
    app.config.update(
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        API_TITLE=title,
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        PROPAGATE_EXCEPTIONS=False,
    )
    encoding.install(app)
    app.before_request(_begin)
    app.after_request(_finish(service))
    api = Api(app)
    problems.install(app)  # after the API, whose own error body is not RFC 9457
    _map_storage_faults(app)
    for blueprint in blueprints:
        api.register_blueprint(blueprint)
    openapi.complete(api)
    _operation(app, list(checks))
    app.extensions["ninety8-api"] = api
    return app


def _begin() -> None:
    g.started = time.perf_counter()
    given = request.headers.get("X-Request-Id", "")
    g.request_id = given if REQUEST_ID.fullmatch(given) else str(new_id())
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id=g.request_id)
    trace = request.headers.get("traceparent", "")
    if TRACEPARENT.fullmatch(trace):
        structlog.contextvars.bind_contextvars(traceparent=trace)
    if (
        request.method in ("POST", "PUT", "PATCH", "DELETE")
        and (request.content_length or "chunked" in request.headers.get("Transfer-Encoding", ""))
        and request.mimetype != "application/json"
    ):
        raise problems.Problem("unsupported_media_type")


def _finish(service: str) -> Callable[[Response], Response]:
    def finish(response: Response) -> Response:
        response.headers["X-Request-Id"] = g.get("request_id", "")
        route = request.url_rule.rule if request.url_rule else "none"
        method = request.method if request.method in METHODS else "other"
        started = g.get("started")
        if started is not None:
            SECONDS.labels(service, method, route, response.status_code).observe(
                time.perf_counter() - started
            )
        return response

    return finish


def _map_storage_faults(app: Flask) -> None:
    """A database that is away is a 503, whichever statement noticed it; nothing was committed."""

    def away(error: Exception) -> Response:
        if isinstance(error, DBAPIError) and not (
            error.connection_invalidated or isinstance(error, OperationalError | InterfaceError)
        ):
            log.exception("database_error", path=request.path)
            return problems.respond(problems.Problem("internal_error"))
        log.warning("database_unavailable", error=type(error).__name__, path=request.path)
        return problems.respond(problems.Problem("service_unavailable"))

    app.register_error_handler(DBAPIError, away)
    app.register_error_handler(PoolTimeoutError, away)


def _operation(app: Flask, checks: list[Check]) -> None:
    @app.get("/live")
    def live() -> dict[str, str]:
        return {"status": "live"}

    @app.get("/ready")
    def ready() -> Response:
        state = {check.name: check.ok() for check in checks}
        status = 200 if all(state.values()) else 503
        document = {"status": "ready" if status == 200 else "not ready", "checks": state}
        return Response(encoding.dumps(document), status, content_type="application/json")

    @app.get("/metrics")
    def metrics() -> Response:
        return Response(generate_latest(registry()), content_type="text/plain; version=0.0.4; charset=utf-8")
