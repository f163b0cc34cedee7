"""What becomes of a use case that relies on the answer of another service."""

from collections.abc import Iterator
from contextlib import contextmanager

from services.sessions.adapters.rules import Away, Refused
from shared.web.problems import Problem


@contextmanager
def answered() -> Iterator[None]:
    """Raise a service's silence as `Problem` service_unavailable, and its refusal by the code it gave."""
    try:
        yield
    except Away as error:
        raise Problem("service_unavailable") from error
    except Refused as error:
        raise Problem(error.code, **({"errors": error.errors} if error.errors else {})) from error
