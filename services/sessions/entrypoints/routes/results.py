"""Finished games: a page of them as JSON, or all as CSV, NDJSON or Parquet while they are being read."""

from collections.abc import Iterator
from typing import Any

from flask import Response, request
from prometheus_client import Counter

from services.sessions.application.exports import Export, Exports, shown
from services.sessions.domain.result_list import Which
from services.sessions.domain.roles import Right
from services.sessions.entrypoints import result_schemas as schemas
from services.sessions.entrypoints.answers import as_json
from services.sessions.entrypoints.asking import access, for_operators, may
from services.sessions.entrypoints.result_formats import FORMATS, Format, Writer
from shared.web.blueprint import Blueprint
from shared.web.problems import Problem

JSON = "application/json"
EXPORTS = Counter(
    "ninety8_exports_total",
    "Exports of finished games by format, and whether they came to their end",
    ["format", "outcome"],
)
STREAMS: dict[str, Any] = {"responses": {200: {"content": schemas.STREAMS}}}


def blueprint(exports: Exports) -> Blueprint:
    """The routes on this use case."""
    blp = Blueprint("results", __name__, url_prefix="/v1", description="Finished games, one by one")

    @blp.route("/results", methods=["GET"])
    @blp.doc(**STREAMS)
    @may(Right.OWN)
    @blp.arguments(schemas.ResultsQuery, location="query")
    @blp.response(200, schemas.ResultsOut)
    def list_results(query: dict[str, Any]) -> Response:
        """List one's finished games, newest first: a page as JSON, or all of them as the header Accept says.

        CSV and NDJSON go on after a row whose `cursor` is given, without a head.
        """
        return _answer(_which(query, owner=True), query)

    @blp.route("/ops/results", methods=["GET"])
    @blp.doc(**STREAMS)
    @may(Right.OWN)
    @for_operators
    @blp.arguments(schemas.OpsResultsQuery, location="query")
    @blp.response(200, schemas.OpsResultsOut)
    @blp.alt_response(403, description="operator_required")
    def list_ops_results(query: dict[str, Any]) -> Response:
        """List the finished games of all accounts, each once, with neither names nor ids; for operators."""
        return _answer(_which(query, owner=False), query)

    def _answer(which: Which, query: dict[str, Any]) -> Response:
        media_type = request.accept_mimetypes.best_match([JSON, *FORMATS], default=JSON)
        if media_type == JSON:
            answer = as_json(_page(exports, which, query.get("limit", schemas.PAGE)))
        else:
            answer = _stream(exports, which, FORMATS[media_type], query)
        answer.headers["Vary"] = "Accept"
        return answer

    return blp


def _which(query: dict[str, Any], *, owner: bool) -> Which:
    return Which(
        access().owner_id if owner else None,
        query.get("since"),
        query.get("until"),
        query.get("players"),
        query.get("difficulty"),
        query.get("reduced_hand"),
        query.get("player_id"),
        query.get("cursor"),
    )


def _page(exports: Exports, which: Which, limit: int) -> dict[str, Any]:
    found = exports.page(which, limit + 1)
    items = found[:limit]
    return {"items": items, "next_cursor": items[-1]["cursor"] if len(found) > limit else None}


def _stream(exports: Exports, which: Which, wanted: Format, query: dict[str, Any]) -> Response:
    if "limit" in query:
        raise Problem("validation_failed", errors={"query": {"limit": ["Only a page of JSON has one."]}})
    if which.after is not None and not wanted.has_cursors:
        refusal = "Parquet comes as a whole; narrow it with from and to."
        raise Problem("validation_failed", errors={"query": {"cursor": [refusal]}})
    headers = {
        "Content-Disposition": f'attachment; filename="results.{wanted.name}"',
        "Cache-Control": "private, no-store",
    }
    if request.method == "HEAD":
        return Response(headers=headers, content_type=wanted.content_type)
    writer = wanted.writer(shown(which), goes_on=which.after is not None)
    export = exports.open(access().owner_id, which, wanted.form, with_cursor=wanted.has_cursors)
    answer = Response(_pieces(export, writer), headers=headers, content_type=wanted.content_type)

    @answer.call_on_close
    def ended() -> None:
        EXPORTS.labels(wanted.name, "whole" if export.is_whole else "broken").inc()
        export.close()

    return answer


def _pieces(export: Export, writer: Writer) -> Iterator[bytes]:
    """The file, in pieces none of which is empty."""
    if head := writer.begin():
        yield head
    for lines in export:
        if piece := writer.write(lines):
            yield piece
    if tail := writer.end():
        yield tail
