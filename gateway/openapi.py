"""The public OpenAPI document: the services' own documents, as far as they are on the map, in one."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gateway.matching import shape
from gateway.own_operations import OWN_PATHS, OWN_SCHEMAS, OWN_TAG
from gateway.routes import ROUTES, Auth, Route
from gateway.schemas import Document, reached, unify
from shared.settings import CHECKOUT

SERVICES = ("accounts", "rules", "sessions")
INFO = {
    "title": "Ninety-Eight",
    "version": "v1",
    "description": (
        "The assistant at the table for the cooperative card game *The Game*.\n\n"
        "Every response carries `X-Request-Id`. Every refusal is a problem document (RFC 9457) whose `code` "
        "is explained at `/problems/<code>`. Times are RFC 3339 in UTC, ids are UUIDs. A request that was "
        "answered with 503 may be sent again after `Retry-After`."
    ),
}
TAGS = {
    "Accounts": "People: signing up and in, their profile, plan and password",
    "Players": "Names used again and again at one's tables",
    "Rules": "What the rules are, and what they say about any sequence of actions",
    "Games": "One log per game: what happened at the table",
    OWN_TAG: "Whether the system is up, and what it can say about itself",
}
# What the gateway may answer to anything, before or instead of the service behind.
_REFUSALS = {
    405: "Another method than those in `Allow`",
    413: "A body over 262,144 bytes",
    415: "A body that is not JSON",
    422: "Something in the request is not as described, `code` and `errors` say what; nothing was applied",
    429: "Too many requests; try again after `Retry-After`",
    500: "A fault here",
    503: "A part of the system is away; the request may be sent again after `Retry-After`",
}


class Undocumented(Exception):
    """Routes of the map that their service's document does not describe."""


def documents(folder: Path = CHECKOUT / "services") -> dict[str, Document]:
    """The services' committed documents by name."""
    return {name: json.loads((folder / name / "openapi.json").read_text("utf-8")) for name in SERVICES}


def text() -> str:
    """The merged document as it is committed and served."""
    return json.dumps(merge(documents(), ROUTES), indent=2, ensure_ascii=False) + "\n"


def merge(found: Mapping[str, Document], routes: Iterable[Route]) -> Document:
    """One document of all `routes`, in their order; raises `Undocumented`."""
    unified, schemas = unify(found)
    operations = {
        (name, method.upper(), shape(path)): (path, operation, item.get("parameters", []))
        for name, document in unified.items()
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }
    routes = list(routes)
    missing = [
        f"{route.method} {route.path}"
        for route in routes
        if (route.service, route.method, shape(route.path)) not in operations
    ]
    if missing:
        raise Undocumented(", ".join(missing))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        path, operation, shared = operations[route.service, route.method, shape(route.path)]
        paths.setdefault(path, {})[route.method.lower()] = _public(route, operation, shared)
    paths |= OWN_PATHS
    schemas |= OWN_SCHEMAS
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": {name: schemas[name] for name in sorted(reached(paths, schemas))},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }


def _public(route: Route, operation: Mapping[str, Any], shared: list[Any]) -> dict[str, Any]:
    """`operation` as the outside sees it, with everything the gateway may answer too."""
    kept = {key: operation[key] for key in ("summary", "description", "requestBody") if key in operation}
    parameters = [*shared, *operation.get("parameters", [])]
    answers = dict(operation["responses"])
    for status, description in _REFUSALS.items():
        answers.setdefault(str(status), _refusal(status, description))
    if "{" in route.path:
        answers.setdefault("404", _refusal(404, "Nothing here, or somebody else's"))
    if route.auth is Auth.BEARER:
        answers.setdefault("401", _refusal(401, "No valid access token"))
    return {
        "operationId": route.name,
        "tags": [route.tag],
        **kept,
        **({"parameters": parameters} if parameters else {}),
        "security": [{"bearer": []}] if route.auth is Auth.BEARER else [],
        "responses": {status: _described(status, answers[status]) for status in sorted(answers)},
    }


def _described(status: str, answer: dict[str, Any]) -> dict[str, Any]:
    """A problem that its service left undescribed, described."""
    if answer.get("description") == "Problem" and status.isdecimal() and int(status) in _REFUSALS:
        return answer | {"description": _REFUSALS[int(status)]}
    return answer


def _refusal(status: int, description: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "description": description,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if status in (429, 503):
        answer["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}}
    return answer
