"""`/problems`: what every error code means, for people in their language and for programs as JSON."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup, escape

from gateway.html import page
from shared.contracts.problems import CODES, details
from shared.web import encoding
from shared.web.problems import Problem, language

pages = Blueprint("problems", __name__)
_CODE = re.compile("`([^`]+)`")


@pages.get("/problems")
def index() -> Response:
    """All codes."""
    spoken = language()
    items = [_entry(code, spoken) for code in CODES]
    if not _wants_html():
        return _json({"items": items, "next_cursor": None}, spoken)
    return page(render_template("pages/problems.html", lang=spoken, words=words(spoken), items=items), spoken)


@pages.get("/problems/<code>")
def one(code: str) -> Response:
    """One code, as the `type` of a problem document names it."""
    if code not in CODES:
        raise Problem("not_found")
    spoken = language()
    item = _entry(code, spoken)
    if not _wants_html():
        return _json(item, spoken)
    return page(render_template("pages/problem.html", lang=spoken, words=words(spoken), item=item), spoken)


@pages.app_template_filter("marked")
def marked(text: str) -> Markup:
    """`text` with what stands between backticks as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704  (escaped just before)


@cache
def words(spoken: str) -> dict[str, str]:
    """The few words around the codes, in the language `spoken`."""
    text = (Path(__file__).parent / "web/pages/words.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)[spoken]
    return found


def _entry(code: str, spoken: str) -> dict[str, Any]:
    entry = CODES[code]
    return {
        "type": f"/problems/{code}",
        "code": code,
        "status": entry.status,
        "title": entry.title,
        "detail": details(spoken)[code],
    }


def _wants_html() -> bool:
    offered = ["application/json", "text/html"]
    return request.accept_mimetypes.best_match(offered, default="application/json") == "text/html"


def _json(document: dict[str, Any], spoken: str) -> Response:
    answer = Response(encoding.dumps(document), content_type="application/json")
    answer.headers["Content-Language"] = spoken
    answer.vary.update(["Accept", "Accept-Language"])
    return answer
