"""The blueprint of every service: flask-smorest's, reading JSON bodies with orjson.

The standard parser fails on deep nesting and lets through NaN and half surrogate pairs; this one refuses all three.
"""

from typing import Any

import flask_smorest
import orjson
from flask import Request
from webargs import core
from webargs.flaskparser import FlaskParser, is_json_request


class Parser(FlaskParser):
    """webargs' door for Flask; what is no JSON in UTF-8 is a `400`."""

    def _raw_load_json(self, req: Request) -> Any:
        return orjson.loads(req.get_data(cache=True)) if is_json_request(req) else core.missing


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """Views and their schemas; see flask-smorest."""

    ARGUMENTS_PARSER = Parser()
