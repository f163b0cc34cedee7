"""What the gateway answers itself, as OpenAPI describes it."""

from typing import Any

from gateway.refusals import reference

OWN_TAG = "Operation"


def _get(name: str, summary: str, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": name, "tags": [OWN_TAG], "summary": summary, "security": []}
    if parameters:
        operation["parameters"] = list(parameters)
    always = {str(status): reference(status) for status in (405, 422, 429, 500)}
    return {"get": operation | {"responses": dict(sorted((always | responses).items()))}}


def _json(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _page(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    answer = _json(description, schema)
    answer["content"]["text/html"] = {"schema": {"type": "string"}}
    return answer


_STATE = {"$ref": "#/components/schemas/Readiness"}
_CODE = {"$ref": "#/components/schemas/ErrorCode"}

OWN_SCHEMAS: dict[str, Any] = {
    "Readiness": {
        "type": "object",
        "required": ["status", "checks", "behind"],
        "properties": {
            "status": {"type": "string", "enum": ["ready", "not ready"]},
            "checks": {
                "type": "object",
                "description": "each part behind the gateway, and whether it is ready",
                "additionalProperties": {"type": "boolean"},
            },
            "behind": {
                "type": "object",
                "description": "what a part says about the things it needs itself",
                "additionalProperties": {"type": "object"},
            },
        },
    },
    "ErrorCode": {
        "type": "object",
        "required": ["type", "code", "status", "title", "detail"],
        "properties": {
            "type": {"type": "string", "examples": ["/problems/not_found"]},
            "code": {"type": "string", "examples": ["not_found"]},
            "status": {"type": "integer"},
            "title": {"type": "string"},
            "detail": {
                "type": "string",
                "description": "what to do next, in the language of Accept-Language",
            },
        },
    },
}

OWN_PATHS: dict[str, Any] = {
    "/live": _get(
        "read_life",
        "Whether the gateway runs",
        {"200": _json("It does", {"type": "object", "properties": {"status": {"const": "live"}}})},
    ),
    "/ready": _get(
        "read_readiness",
        "Whether the gateway and everything behind it can serve",
        {"200": _json("All of it can", _STATE), "503": _json("Some of it cannot", _STATE)},
    ),
    "/v1/openapi.json": _get(
        "read_openapi",
        "This document",
        {
            "200": _json("OpenAPI 3.1", {"type": "object"}),
            "304": {"description": "Unchanged since `If-None-Match`"},
        },
    ),
    "/problems": _get(
        "list_problems",
        "All error codes, as a page or as JSON by `Accept`",
        {
            "200": _page(
                "All codes",
                {
                    "type": "object",
                    "required": ["items", "next_cursor"],
                    "properties": {
                        "items": {"type": "array", "items": _CODE},
                        "next_cursor": {"type": "null"},
                    },
                },
            )
        },
    ),
    "/problems/{code}": _get(
        "read_problem",
        "What an error code means and what to do about it",
        {"200": _page("The code", _CODE), "404": reference(404)},
        {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}},
    ),
}
