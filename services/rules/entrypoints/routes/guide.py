"""The HTTP API of the guide: the rules as text in one language, and the drawings in it."""

import hashlib
from typing import Any

from flask import Response, request

from services.rules.entrypoints import documents, schemas
from services.rules.entrypoints.addresses import PREFIX, figure_parameter, found, ruleset_parameter
from shared.contracts.problems import LANGUAGES
from shared.web import problem_documents
from shared.web.blueprint import Blueprint
from shared.web.encoding import dumps
from shared.web.problems import Problem

SVG = "image/svg+xml"
# A drawing opened by itself is a document of this address; it needs nothing, so it may do nothing.
POLICY = "default-src 'none'; sandbox"
NOT_MODIFIED = "Not modified since the ETag in If-None-Match"


def blueprint() -> Blueprint:
    """The routes of the guide; they need no sign-in."""
    blp = Blueprint("guide", __name__, url_prefix=PREFIX, description="The rules as text")
    of_ruleset = ruleset_parameter()
    tag = {"ETag": {"schema": {"type": "string"}}}

    @blp.route("/<string:ruleset>/guide", methods=["GET"], parameters=[of_ruleset])
    @blp.arguments(schemas.GuideQuery, location="query")
    @blp.response(
        200,
        documents.GuideOut,
        headers=tag
        | {
            "Content-Language": {"schema": {"type": "string", "enum": list(LANGUAGES)}},
            "Vary": {"schema": {"type": "string"}},
        },
    )
    @blp.alt_response(304, description=NOT_MODIFIED)
    def read_guide(query: dict[str, Any], ruleset: str) -> Response:
        """Read the rules as text, all of it in one language.

        That is `lang` if the guide has it, else the best of `Accept-Language`, else English.
        """
        wanted = [(query["lang"].replace("_", "-"), 1.0), *request.accept_languages]
        language = problem_documents.language(wanted)
        document = {"language": language, "sections": found(ruleset).guide(language)}
        answer = _tagged(dumps(document), "application/json")
        answer.headers["Content-Language"] = language
        answer.headers["Vary"] = "Accept-Language"
        return answer

    @blp.route(
        "/<string:ruleset>/guide/<string:figure>.svg",
        methods=["GET"],
        parameters=[of_ruleset, figure_parameter()],
    )
    @blp.response(200, {"type": "string"}, content_type=SVG, headers=tag)
    @blp.alt_response(304, description=NOT_MODIFIED)
    def read_figure(ruleset: str, figure: str) -> Response:
        """Read a drawing of the guide; there is no word in it, what it shows is said where it stands."""
        drawing = found(ruleset).figures().get(figure)
        if drawing is None:
            raise Problem("not_found")
        answer = _tagged(drawing.encode(), f"{SVG}; charset=utf-8")
        answer.headers["Content-Security-Policy"] = POLICY
        answer.headers["X-Content-Type-Options"] = "nosniff"
        return answer

    return blp


def _tagged(body: bytes, content_type: str) -> Response:
    """`body` with a strong ETag over its bytes; to be kept by anybody and asked for anew each time."""
    answer = Response(body, content_type=content_type)
    answer.set_etag(hashlib.blake2b(body, digest_size=16).hexdigest())
    answer.headers["Cache-Control"] = "public, no-cache"
    answer.make_conditional(request)
    return answer
