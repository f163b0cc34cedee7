"""Who is asking: the bearer token of the current request, verified."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import current_app, g, request

from shared.web.problems import Problem
from shared.web.tokens import Identity, NoKeys, Unverified, Verifier

View = TypeVar("View", bound=Callable[..., Any])
Deny = Callable[[Identity], bool]
_KEY = "ninety8-bearer"


def install(app: Any, verifier: Verifier, denied: Deny) -> None:
    """Let `signed_in` verify tokens in `app`; `denied` tells tokens ended before their time."""
    app.extensions[_KEY] = (verifier, denied)


def signed_in(view: View) -> View:
    """Require a valid access token; `identity()` then tells whose. Marks the operation in OpenAPI."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        verifier, denied = current_app.extensions[_KEY]
        g.identity = verified(verifier, denied, bearer())
        return view(*args, **kwargs)

    return secured(guarded)  # type: ignore[return-value]


def secured(view: View) -> View:
    """Mark the operation in OpenAPI as one that takes a bearer token."""
    view._apidoc = getattr(view, "_apidoc", {}) | {  # type: ignore[attr-defined]
        "manual_doc": {"security": [{"bearer": []}]}
    }
    return view


def identity() -> Identity:
    """The identity of the current request; only inside a `signed_in` view."""
    found: Identity = g.identity
    return found


def bearer() -> str:
    """The bearer token of the current request as it came; raises `Problem` where there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Problem("unauthenticated")
    return token.strip()


def verified(verifier: Verifier, denied: Deny, token: str) -> Identity:
    """The identity behind an access token; raises `Problem`: unauthenticated, service_unavailable."""
    try:
        found = verifier.verify(token)
    except Unverified as error:
        raise Problem("unauthenticated") from error
    except NoKeys as error:
        raise Problem("service_unavailable") from error
    if denied(found):
        raise Problem("unauthenticated")
    return found
