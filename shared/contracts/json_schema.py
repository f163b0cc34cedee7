"""Owns the way from a marshmallow schema to the JSON Schema (2020-12) that is committed for it."""

from typing import Any

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(
    schema: type[Schema], name: str, about: str, examples: tuple[dict[str, Any], ...]
) -> dict[str, Any]:
    """The JSON Schema of `schema`, whole in itself; OpenAPI 3.1 speaks the same dialect."""
    # No name for a nested schema: it is written where it stands.
    plugin = MarshmallowPlugin(schema_name_resolver=lambda _: None)  # type: ignore[arg-type, return-value]
    APISpec("", "", "3.1.0", plugins=[plugin])
    assert plugin.converter is not None
    return {
        "$schema": DIALECT,
        "$id": f"/schemas/{name}.json",
        "title": name,
        "description": about,
        **plugin.converter.schema2jsonschema(schema()),  # type: ignore[no-untyped-call]
        "examples": list(examples),
    }
