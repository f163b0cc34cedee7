"""The answer to whatever adds to a log: the game after it, or what refused it and where."""

from collections.abc import Callable
from typing import Any

from flask import Response

from services.sessions.application.play import Answer
from shared.web.encoding import dumps
from shared.web.problems import Problem, respond


def recorded(answer: Answer, place: Callable[[Any], Any] = lambda errors: errors) -> Response:
    """`answer` as api.md gives it; `place` says where in the request the `errors` of a refusal belong."""
    document: dict[str, Any] = {
        "version": answer.game.head.version,
        "outcomes": answer.outcomes,
        "game": answer.game.document(),
    }
    stopped = answer.refusal
    if stopped is None:
        return as_json(document)
    errors = {"errors": place(stopped.errors)} if stopped.errors else {}
    problem = Problem(stopped.code, index=stopped.index, action_id=stopped.action_id, **errors, **document)
    return respond(problem)


def as_json(document: dict[str, Any], status: int = 200) -> Response:
    """A document that was checked where it was made."""
    return Response(dumps(document), status, content_type="application/json")
