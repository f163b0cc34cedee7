"""Who is asking, with what right, from which device: what every route reads from the current request."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from uuid import UUID

from flask import Flask, current_app, g, request

from services.sessions.application.access import Access, Rights
from services.sessions.domain.roles import OPERATOR, Right
from shared.web.bearer import bearer, secured
from shared.web.problems import Problem
from shared.web.wire import device_name

View = TypeVar("View", bound=Callable[..., Any])
_KEY = "sessions-rights"


def install(app: Flask, rights: Rights) -> None:
    """Let `may` look up rights in `app`."""
    app.extensions[_KEY] = rights


def may(right: Right) -> Callable[[View], View]:
    """Require a token that allows `right` to the game of the path or of its conflict, else to games at large.

    `access()` then tells by whom and how. Marks the operation in OpenAPI.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            rights = _rights()
            conflict_id = kwargs.get("conflict_id")
            if conflict_id is not None:
                g.access = rights.access_by_conflict(bearer(), right, conflict_id)
            else:
                g.access = rights.access(bearer(), right, kwargs.get("game_id"))
            return view(*args, **kwargs)

        return secured(guarded)  # type: ignore[return-value]

    return decorate


def with_plus(view: View) -> View:
    """Require besides that the game's owner has the plan Plus; stands right below `may`.

    So a missing right, a thing that is not there and a missing plan are told before what is wrong in a body.
    """

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        conflict_id = kwargs.get("conflict_id")
        if conflict_id is not None:
            _rights().require_plus_by_conflict(access(), conflict_id)
        else:
            require_plus(kwargs["game_id"])
        return view(*args, **kwargs)

    return guarded  # type: ignore[return-value]


def for_operators(view: View) -> View:
    """Require the role operator of the account besides; stands right below `may`, so that it comes first."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        identity = access().identity
        if identity is None or identity.role != OPERATOR:
            raise Problem("operator_required")
        return view(*args, **kwargs)

    return guarded  # type: ignore[return-value]


def require_plus(game_id: UUID) -> None:
    """Raise `Problem` unless the bearer may do with the game what needs Plus: see `Rights.require_plus`."""
    _rights().require_plus(access(), game_id)


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


def sent_bearer() -> str | None:
    """The token of the current request where one need not be sent; raises `Problem` unauthenticated."""
    return bearer() if "Authorization" in request.headers else None


def traceparent() -> str | None:
    """The trace that the request belongs to."""
    return request.headers.get("traceparent")


def _rights() -> Rights:
    rights: Rights = current_app.extensions[_KEY]
    return rights
