"""The public OpenAPI document: the services' own documents, as far as they are on the map, in one."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gateway import live_operation, refusals
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
    "Invitations": "A game shared with people who need no account, to look on or to enter",
    "Several devices": "What a device recorded on its own, two stories of one evening, corrections",
    "Results": "Finished games as figures, and what to compare them with",
    OWN_TAG: "Whether the system is up, and what it can say about itself",
}
BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": (
        "An access token (a JWT), or the opaque token of an accepted invitation, which is good for its own "
        "game alone: a viewer's for reading and following it, a recorder's for entering actions too."
    ),
}

Key = tuple[str, str, str]


class Undocumented(Exception):
    """Routes of the map that their service's document does not describe."""


def documents(folder: Path = CHECKOUT / "services") -> dict[str, Document]:
    """The services' committed documents by name, and the one of the live stream."""
    found = {name: json.loads((folder / name / "openapi.json").read_text("utf-8")) for name in SERVICES}
    return found | {"live": live_operation.document()}


def text() -> str:
    """The merged document as it is committed and served."""
    return json.dumps(merge(documents(), ROUTES), indent=2, ensure_ascii=False) + "\n"


def merge(found: Mapping[str, Document], routes: Iterable[Route]) -> Document:
    """One document of all `routes`, in their order; raises `Undocumented`."""
    unified, schemas = unify(found)
    routes = list(routes)
    described = _operations(unified)
    if missing := [f"{route.method} {route.path}" for route in routes if _key(route) not in described]:
        raise Undocumented(", ".join(missing))
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        path, operation, shared = described[_key(route)]
        paths.setdefault(path, {})[route.method.lower()] = _public(route, operation, shared)
    paths |= OWN_PATHS
    schemas |= OWN_SCHEMAS
    answers = refusals.components()
    return {
        "openapi": "3.1.0",
        "info": INFO,
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": {name: schemas[name] for name in sorted(reached([paths, answers], schemas))},
            "responses": answers,
            "securitySchemes": {"bearer": BEARER},
        },
    }


def _operations(documents: Mapping[str, Document]) -> dict[Key, tuple[str, dict[str, Any], list[Any]]]:
    """Each operation with its path as its service writes it, and the parameters of that path."""
    return {
        (name, method.upper(), shape(path)): (path, operation, item.get("parameters", []))
        for name, document in documents.items()
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }


def _key(route: Route) -> Key:
    return route.service, route.method, shape(route.path)


def _public(route: Route, operation: Mapping[str, Any], shared: list[Any]) -> dict[str, Any]:
    """`operation` as the outside sees it, with everything the gateway may answer too."""
    bearer = route.auth is Auth.BEARER
    kept = {key: operation[key] for key in ("summary", "description", "requestBody") if key in operation}
    parameters = [*shared, *operation.get("parameters", [])]
    answers = {
        status: refusals.shared(answer, int(status)) for status, answer in operation["responses"].items()
    }
    always = [*refusals.ALWAYS, *([404] if "{" in route.path else []), *([401] if bearer else [])]
    answers |= {str(status): refusals.reference(status) for status in always}
    return {
        "operationId": route.name,
        "tags": [route.tag],
        **kept,
        **({"parameters": parameters} if parameters else {}),
        "security": [{"bearer": []}] if bearer else [],
        "responses": dict(sorted(answers.items())),
    }
