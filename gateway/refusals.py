"""Problem documents as OpenAPI describes them: one shared description for each status."""

from http import HTTPStatus
from typing import Any

MEDIA_TYPE = "application/problem+json"
# What the gateway may answer to anything, before or instead of the service behind.
ALWAYS = (405, 413, 415, 422, 429, 500, 503)
_DESCRIPTIONS = {
    400: "The body is not JSON",
    401: "No access token, or one that is expired or not valid",
    403: "Not allowed, `code` says why",
    404: "Nothing here, or somebody else's",
    405: "Another method than those in `Allow`",
    409: "Contradicts what is there already, `code` says how",
    410: "It was here once and is not any more",
    413: "A body over 262,144 bytes",
    415: "A body that is not labelled as JSON",
    422: "Refused: `code` says why, `errors` or `outcomes` where",
    429: "Too many requests; try again after `Retry-After`",
    500: "A fault here",
    503: "A part of the system is away; the request may be sent again after `Retry-After`",
}


def reference(status: int) -> dict[str, str]:
    """The reference to the description of a problem with `status`."""
    return {"$ref": f"#/components/responses/{_name(status)}"}


def shared(answer: dict[str, Any], status: int) -> dict[str, Any]:
    """`answer`, or the reference in place of a problem that is no more than that."""
    plain = status in _DESCRIPTIONS and list(answer.get("content", ())) == [MEDIA_TYPE]
    return reference(status) if plain else answer


def components() -> dict[str, Any]:
    """All descriptions by name."""
    return {_name(status): _described(status) for status in _DESCRIPTIONS}


def _described(status: int) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "description": _DESCRIPTIONS[status],
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    if status in (429, 503):
        answer["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "seconds"}}
    return answer


def _name(status: int) -> str:
    return HTTPStatus(status).phrase.title().replace(" ", "").replace("-", "")
