"""Web pages as answers: nothing in them comes from anywhere but this address."""

from pathlib import Path

from flask import Response

from shared.web.problems import Problem

WEB = Path(__file__).parent / "web"
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_MEDIA_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def page(text: str | bytes, language: str) -> Response:
    """`text`, a whole HTML document written in `language`."""
    answer = _with_policy(Response(text, content_type="text/html; charset=utf-8"))
    answer.headers["Content-Language"] = language
    answer.vary.update(["Accept", "Accept-Language"])
    return answer


def file(name: str) -> Response:
    """The file `name` below `gateway/web`, with an ETag; a page with the policy for pages."""
    path = WEB / name
    if path.suffix not in _MEDIA_TYPES or not path.is_file():
        raise Problem("not_found")
    answer = Response(path.read_bytes(), content_type=f"{_MEDIA_TYPES[path.suffix]}; charset=utf-8")
    answer.add_etag()
    answer.headers["Cache-Control"] = "no-cache"
    return _with_policy(answer) if path.suffix == ".html" else answer


def _with_policy(answer: Response) -> Response:
    answer.headers["Content-Security-Policy"] = POLICY
    return answer
