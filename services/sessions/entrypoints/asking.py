"""Who is asking, with what right, from which device: what every route reads from the current request."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import Flask, current_app, g, request

from services.sessions.application.access import Access, Rights
from services.sessions.domain.roles import Right
from shared.web.bearer import bearer, secured
from shared.web.problems import Problem
from shared.web.wire import device_name

View = TypeVar("View", bound=Callable[..., Any])
_KEY = "sessions-rights"


def install(app: Flask, rights: Rights) -> None:
    """Let `may` look up rights in `app`."""
    app.extensions[_KEY] = rights


def may(right: Right) -> Callable[[View], View]:
    """Require a token that allows `right` to the game of the path, or to games at large where there is none.

    `access()` then tells by whom and how. Marks the operation in OpenAPI.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            rights: Rights = current_app.extensions[_KEY]
            g.access = rights.access(bearer(), right, kwargs.get("game_id"))
            return view(*args, **kwargs)

        return secured(guarded)  # type: ignore[return-value]

    return decorate


def access() -> Access:
    """The access of the current request; only inside a view with `may`."""
    found: Access = g.access
    return found


def device() -> str | None:
    """What the device calls itself, if it does; raises `Problem` validation_failed."""
    try:
        return device_name(request.headers.get("X-Device", "").encode("latin-1", "replace"))
    except ValueError as error:
        errors = {"headers": {"X-Device": ["At most 64 characters."]}}
        raise Problem("validation_failed", errors=errors) from error


def traceparent() -> str | None:
    """The trace that the request belongs to."""
    return request.headers.get("traceparent")
