"""The live stream as OpenAPI describes it: no service's document does, since the gateway serves it itself."""

from typing import Any

_EVENTS = """\
Server-Sent Events: what was entered, as it is entered. Read them with `fetch`, so that the token stays in its
header.

- `entry`: `id:` is the entry's `seq`, data `{entry, table, result}`, the entry as in the log with the table
  and the result it led to. Undo and reopening are entries like any other. On connecting the entries after
  `Last-Event-ID` or `after` come first, so a stream taken up again misses and repeats nothing; a reader that
  meets a gap in `seq` asks the log.
- `presence`: data `{devices: [{device, account_id, guest_id, role, streams}]}`, all who have the game open,
  whenever that changes.
- `end`: data `{code, retry_after}`, why the stream closes: `code` as in a problem document, `retry_after` in
  seconds or null. After `service_unavailable` and `too_slow` come back with the last id, not before `retry:`
  has passed; after `unauthenticated` with another token; after `not_found` not at all.

A comment comes after at most 5 seconds of silence; a connection that is silent for 20 is dead."""

_EXAMPLE = """\
retry: 1000

id: 12
event: entry
data: {"entry":{"seq":12},"table":{},"result":null}

event: presence
data: {"devices":[{"device":"phone","account_id":null,"guest_id":null,"role":"viewer","streams":1}]}

: keep-alive

"""

_POSITION = {"type": "integer", "minimum": 0, "default": 0}


def document() -> dict[str, Any]:
    """As if a service had written it."""
    return {
        "paths": {
            "/v1/games/{game_id}/live": {
                "parameters": [
                    {
                        "name": "game_id",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "string", "format": "uuid"},
                    }
                ],
                "get": {
                    "summary": "Follow a game live",
                    "description": _EVENTS,
                    "parameters": [
                        {
                            "name": "after",
                            "in": "query",
                            "description": "Begin after this `seq`, which is at most the game's version",
                            "schema": _POSITION,
                        },
                        {
                            "name": "Last-Event-ID",
                            "in": "header",
                            "description": "The same, for taking a stream up again; it wins over `after`",
                            "schema": _POSITION,
                        },
                    ],
                    "responses": {
                        "200": {
                            "description": "The stream; it lasts until either side ends it",
                            "content": {
                                "text/event-stream": {"schema": {"type": "string"}, "example": _EXAMPLE}
                            },
                        }
                    },
                },
            }
        }
    }
