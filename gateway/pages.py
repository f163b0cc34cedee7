"""The pages the gateway has itself: documentation, problems, health; and every refusal it speaks itself."""

from typing import Any

from flask import Flask, Response, g

from gateway import cors
from gateway.answers import Answer
from shared.web import encoding, problems
from shared.web.problems import Problem

_OF_THE_SERVER = {"Content-Length", "Date"}


class Pages:
    """The Flask application behind the edge, asked without a server in between."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def answer(self, environ: dict[str, Any], request_id: str) -> Answer:
        """The page that `environ` asks for, or the problem that there is none."""
        with self._app.request_context(environ) as context:
            g.request_id = request_id
            if environ["REQUEST_METHOD"] == "OPTIONS" and context.request.url_rule:
                return Answer(204, cors.preflight(context.request.url_rule.methods or ()))
            return _plain(self._app.full_dispatch_request(), environ)

    def refusal(self, environ: dict[str, Any], request_id: str, problem: Problem) -> Answer:
        """`problem` in the language that `environ` asks for."""
        with self._app.request_context(environ):
            g.request_id = request_id
            return _plain(problems.respond(problem), environ)


def create_app() -> Flask:
    """An application without pages that answers every error with a problem document."""
    app = Flask("gateway", static_folder=None, template_folder="web")
    app.config.update(PROPAGATE_EXCEPTIONS=False)
    encoding.install(app)
    problems.install(app)
    return app


def _plain(response: Response, environ: dict[str, Any]) -> Answer:
    response.make_conditional(environ)
    body = response.get_data()
    headers = [(name, value) for name, value in response.headers if name not in _OF_THE_SERVER]
    if response.status_code not in (204, 304):
        headers.append(("Content-Length", str(len(body))))
    silent = environ["REQUEST_METHOD"] == "HEAD" or response.status_code in (204, 304)
    return Answer(response.status_code, headers, [] if silent else [body])
