"""`/` and what belongs to the web client: its screens, its files, what makes it installable."""

from flask import Blueprint, Response

from gateway import client_files
from gateway.client_files import ClientFiles
from shared.web.problems import Problem

_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_FIRST = "no-cache"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_OF_A_PAGE = {
    "Content-Security-Policy": _POLICY,
    "Content-Language": "en",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), screen-wake-lock=(self)",
}


def blueprint(files: ClientFiles) -> Blueprint:
    """The addresses of `files`."""
    pages = Blueprint("client", __name__)

    @pages.get("/")
    def front() -> Response:
        return shell()

    @pages.get("/manifest.webmanifest")
    def manifest() -> Response:
        return _file("manifest.webmanifest", files.shell["manifest.webmanifest"], _ASK_FIRST)

    @pages.get("/sw.js")
    def worker() -> Response:
        return _file("sw.js", files.shell["sw.js"], _ASK_FIRST)

    @pages.get("/app/<version>/<path:name>")
    def file(version: str, name: str) -> Response:
        if name not in files.files:
            raise Problem("not_found")
        # A page that was opened before an update may still ask; what it gets it must not keep.
        kept = _FOR_GOOD if version == files.version else "no-store"
        return _file(name, files.files[name], kept)

    def shell() -> Response:
        answer = _file("index.html", files.shell["index.html"], _ASK_FIRST)
        answer.headers.update(_OF_A_PAGE)
        return answer

    def screen(rest: str = "") -> Response:
        return shell()

    for name in client_files.SCREENS:
        pages.add_url_rule(f"/{name}", name, screen)
        pages.add_url_rule(f"/{name}/<path:rest>", name, screen)
    return pages


def _file(name: str, content: bytes, kept: str) -> Response:
    answer = Response(content, content_type=client_files.media_type(name))
    answer.add_etag()
    answer.headers["Cache-Control"] = kept
    return answer
