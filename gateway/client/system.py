"""What the gateway says about itself: its description, its keys, its error codes, whether it is ready."""

from typing import Any, cast
from urllib.parse import quote

from gateway.client.calls import Calls
from gateway.client.transport import Request


class System:
    """The documents outside the resources; no sign-in needed."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def openapi(self) -> dict[str, Any]:
        return self._read("/v1/openapi.json")

    def jwks(self) -> dict[str, Any]:
        """The public keys that sign the access tokens."""
        return self._read("/.well-known/jwks.json")

    def problems(self) -> list[dict[str, Any]]:
        """All error codes, each with its `code`, `status`, `title` and `detail`."""
        return cast("list[dict[str, Any]]", self._read("/problems")["items"])

    def problem(self, code: str) -> dict[str, Any]:
        """What one error code means and what to do about it; `not_found` when there is none like it."""
        return self._read(f"/problems/{quote(code, safe='')}")

    def live(self) -> bool:
        """Whether the gateway itself runs, whatever is behind it."""
        return self._calls.guest_answer(Request("GET", "/live")).status == 200

    def ready(self) -> tuple[bool, Any]:
        """Whether the gateway is ready, and what it says about the parts behind it."""
        answer = self._calls.guest_answer(Request("GET", "/ready"))
        return answer.status == 200, answer.document()

    def _read(self, where: str) -> dict[str, Any]:
        return cast("dict[str, Any]", self._calls.guest_document(Request("GET", where, repeatable=True)))
