"""How each error code is brought about through the gateway: one way for every code there is to meet."""

from collections.abc import Mapping

from tests.e2e.refusing import any_request, branches, games, guests, people, the_rules
from tests.e2e.refusing.the_rules import OF_THE_RULES
from tests.e2e.refusing.way import Way

__all__ = ["OF_THE_RULES", "OUT_OF_REACH", "WAYS"]

# Nothing that a client sends brings these about, and why.
OUT_OF_REACH = {
    "internal_error": "a fault of ours, which no request may be able to cause",
    "exports_busy": "takes exports that last; held open in the tests of sessions",
    "too_many_streams": "takes five hundred open streams; driven against a live process with a lower limit",
}
WAYS: Mapping[str, Way] = {
    **any_request.WAYS,
    **people.WAYS,
    **games.WAYS,
    **guests.WAYS,
    **branches.WAYS,
    **the_rules.WAYS,
}
