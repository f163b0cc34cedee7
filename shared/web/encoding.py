"""JSON in and out of HTTP, by orjson."""

from typing import Any

import orjson
from flask import Flask, Response
from flask.json.provider import JSONProvider


def dumps(value: Any) -> bytes:
    """`value` as JSON in UTF-8; UUIDs and datetimes (RFC 3339, `Z`) included."""
    return orjson.dumps(value, option=orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS)


class Orjson(JSONProvider):
    """Flask's JSON door on orjson; large and odd input raises `ValueError` like the standard one."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return dumps(obj).decode()

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Any:
        value = self._prepare_response_obj(args, kwargs)
        return Response(dumps(value), content_type="application/json")


def install(app: Flask) -> None:
    """Make `app` read and write JSON with orjson."""
    app.json = Orjson(app)
