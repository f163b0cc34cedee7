"""What every operation of every service answers besides its own results, written into OpenAPI once."""

import json
from typing import Any

from flask import Flask
from flask_smorest import Api

PROBLEM = {
    "type": "object",
    "description": "RFC 9457 problem document",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string", "examples": ["/problems/not_found"]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what to do next, in the language of Accept-Language"},
        "code": {"type": "string"},
        "request_id": {"type": "string"},
        "errors": {
            "description": "what is wrong: messages by place and field; the ids of entries that would not fit"
        },
        "retry_after": {"type": "integer", "description": "seconds to wait"},
        "version": {"type": "integer", "description": "the game's version now"},
        "missed": {
            "type": "array",
            "items": {"type": "object"},
            "description": "the entries since, at most 200; the log has those after",
        },
        "outcomes": {"type": "array", "items": {"type": "object"}},
        "index": {"type": "integer"},
        "action_id": {"type": "string"},
        "game": {"type": "object"},
    },
}
_ALWAYS = (405, 413, 415, 422, 429, 500, 503)


def complete(api: Api) -> None:
    """Add the problem schema, the bearer scheme and the shared problem answers to `api`'s document."""
    spec = api.spec
    assert spec is not None
    spec.components.schema("Problem", PROBLEM)
    spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"})


def document(app: Flask) -> dict[str, Any]:
    """The finished OpenAPI 3.1 document of `app`, ready to be written or merged."""
    api: Api = app.extensions["ninety8-api"]
    spec = api.spec
    assert spec is not None
    result: dict[str, Any] = json.loads(json.dumps(spec.to_dict()))
    result.setdefault("paths", {})
    result["components"].pop("responses", None)
    for name in ("Error", "PaginationMetadata"):
        result["components"]["schemas"].pop(name, None)
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            if method in ("get", "post", "put", "patch", "delete"):
                _add_problems(path, operation)
    return result


def _add_problems(path: str, operation: dict[str, Any]) -> None:
    statuses = list(_ALWAYS)
    if operation.get("security"):
        statuses += [401, 403]
    if "{" in path:
        statuses.append(404)
    if "requestBody" in operation:
        statuses.append(400)
    answers = operation.setdefault("responses", {})
    answers.pop("default", None)
    for status in statuses:
        answers[str(status)] = _problem(status)
    for status in list(answers):
        if status.startswith("4") and "content" not in answers[status]:
            answers[status] = _problem(int(status))
    operation["responses"] = dict(sorted(answers.items()))


def _problem(status: int) -> dict[str, Any]:
    headers = {"Retry-After": {"schema": {"type": "integer"}}} if status in (429, 503) else None
    answer: dict[str, Any] = {
        "description": "Problem",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if headers:
        answer["headers"] = headers
    return answer


def write(app: Flask) -> str:
    """The document as the text that is committed."""
    return json.dumps(document(app), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
