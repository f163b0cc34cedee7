"""The query string of a request: bounded, and never a place for a token."""

from urllib.parse import parse_qsl

from shared.web.problems import Problem

LENGTH_LIMIT = 2048
_TOKENS = frozenset({"access_token", "refresh_token", "token", "authorization"})


def check(query: str) -> None:
    """Raises `Problem` `validation_failed` for a query that is too long or carries a token.

    A token there would end up in histories and logs; its owner learns of it instead of being served.
    """
    if not query:
        return
    if len(query) > LENGTH_LIMIT:
        raise _refusal("query", f"longer than {LENGTH_LIMIT} characters")
    for name, _ in parse_qsl(query, keep_blank_values=True):
        if name.lower() in _TOKENS:
            raise _refusal(name, "tokens travel in the header Authorization, never in an address")


def _refusal(name: str, message: str) -> Problem:
    return Problem("validation_failed", errors={"query": {name: [message]}})
