"""Schemas of several OpenAPI documents under one roof: the same name means the same thing."""

import json
import re
from collections.abc import Mapping
from typing import Any

Document = dict[str, Any]
Schemas = dict[str, Any]
_PREFIX = "#/components/schemas/"
_REFERENCE = re.compile(rf'"\$ref": "{re.escape(_PREFIX)}([^"]+)"')


def unify(documents: Mapping[str, Document]) -> tuple[dict[str, Document], Schemas]:
    """`documents` with their schemas renamed where needed, and all those schemas.

    A name that means different things in different documents gets the document's own as a prefix in each.
    """
    schemas = {name: _schemas(document) for name, document in documents.items()}
    differing = _differing(list(schemas.values()))
    unified: dict[str, Document] = {}
    merged: Schemas = {}
    for name, document in documents.items():
        new_names = {
            schema: f"{name.capitalize()}{schema}" for schema in schemas[name] if schema in differing
        }
        unified[name] = _renamed(document, new_names)
        for schema, content in _schemas(unified[name]).items():
            merged[new_names.get(schema, schema)] = content
    return unified, merged


def reached(start: Any, schemas: Schemas) -> set[str]:
    """The names of all schemas that `start` refers to, directly or through others."""
    found: set[str] = set()
    waiting = _references(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting |= _references(schemas[name])
    return found


def _schemas(document: Document) -> Schemas:
    schemas: Schemas = document.get("components", {}).get("schemas", {})
    return schemas


def _differing(all_schemas: list[Schemas]) -> set[str]:
    """Names with different contents, or with contents that refer to such names."""
    names = {name for schemas in all_schemas for name in schemas}
    contents = {name: [schemas[name] for schemas in all_schemas if name in schemas] for name in names}
    differing = {name for name, found in contents.items() if any(content != found[0] for content in found)}
    while True:
        more = {
            name
            for name, found in contents.items()
            if len(found) > 1 and name not in differing and _references(found[0]) & differing
        }
        if not more:
            return differing
        differing |= more


def _references(content: Any) -> set[str]:
    return set(_REFERENCE.findall(json.dumps(content)))


def _renamed(document: Document, new_names: Mapping[str, str]) -> Document:
    def renamed(match: re.Match[str]) -> str:
        return f'"$ref": "{_PREFIX}{new_names.get(match[1], match[1])}"'

    found: Document = json.loads(_REFERENCE.sub(renamed, json.dumps(document)))
    return found
