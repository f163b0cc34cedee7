"""The blueprint of every service: flask-smorest's, reading JSON bodies with orjson.

The standard parser fails on deep nesting and passes NaN and half surrogate pairs; this one refuses them.
"""

import json
from typing import Any

import flask_smorest
import orjson
from flask import Request
from marshmallow import RAISE
from webargs import core
from webargs.flaskparser import FlaskParser, is_json_request


class Parser(FlaskParser):
    """webargs' door for Flask; what is no JSON in UTF-8 is a `400`."""

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data(cache=True)
        if not body or not is_json_request(req):
            return core.missing
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError as error:
            # webargs takes an error about an empty document, as orjson's is for invalid UTF-8, for no body.
            raise json.JSONDecodeError(error.msg, "body", 0) from error


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """Views and their schemas; see flask-smorest."""

    ARGUMENTS_PARSER = Parser()

    def arguments(self, schema: Any, *, location: str = "json", **kwargs: Any) -> Any:
        """As flask-smorest's, but unknown names in a query string are refused like those in a body."""
        if isinstance(schema, type):
            schema = schema()  # once, not for every request
        if location == "query":
            kwargs.setdefault("unknown", RAISE)
        return super().arguments(schema, location=location, **kwargs)
