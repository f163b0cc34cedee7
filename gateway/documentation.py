"""`/docs` and `/v1/openapi.json`: the API, readable by people and by programs."""

from pathlib import Path

from flask import Blueprint, Response

from gateway.html import file

OPENAPI = Path(__file__).parent / "openapi.json"


def blueprint() -> Blueprint:
    """The pages; the document is read once, since it changes only with a new version of the gateway."""
    pages = Blueprint("documentation", __name__)
    document = OPENAPI.read_bytes()

    @pages.get("/v1/openapi.json")
    def openapi() -> Response:
        answer = Response(document, content_type="application/json")
        answer.add_etag()
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    @pages.get("/docs")
    def docs() -> Response:
        return file("docs/docs.html")

    @pages.get("/docs/<name>")
    def docs_file(name: str) -> Response:
        return file(f"docs/{name}")

    @pages.get("/pages.css")
    def style() -> Response:
        return file("pages/pages.css")

    return pages
