"""The body and headers of an error answer (RFC 9457), for whichever web framework sends it."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from shared.contracts.problems import CODES, LANGUAGES, details

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 1


def document(code: str, spoken: str, request_id: str, **extra: Any) -> dict[str, Any]:
    """The problem document of `code`, its detail in the language `spoken`; `extra` joins the body."""
    entry = CODES[code]
    if entry.status == HTTPStatus.SERVICE_UNAVAILABLE:
        extra.setdefault("retry_after", RETRY_AFTER_S)
    return {
        "type": f"/problems/{code}",
        "title": entry.title,
        "status": entry.status,
        "detail": details(spoken)[code],
        "code": code,
        "request_id": request_id,
        **extra,
    }


def headers(problem: dict[str, Any], spoken: str) -> dict[str, str]:
    """The headers that go with such a document."""
    found = {"Content-Language": spoken, "Vary": "Accept-Language"}
    if "retry_after" in problem:
        found["Retry-After"] = str(problem["retry_after"])
    if problem["status"] == HTTPStatus.UNAUTHORIZED:
        found["WWW-Authenticate"] = "Bearer"
    return found


def language(accepted: Iterable[tuple[str, float]]) -> str:
    """The best of our languages for `Accept-Language`, as (tag, quality) from the best down; else English."""
    for tag, quality in accepted:
        primary = tag.partition("-")[0].lower()
        if quality > 0 and primary in LANGUAGES:
            return primary
    return "en"
