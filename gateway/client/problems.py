"""What can go wrong with a call: a refusal, no gateway at all, an answer lost, an answer that is not ours."""

from collections.abc import Mapping
from typing import Any, cast

from gateway.client.contract import Entry, Game, Outcome

_OF_EVERY_PROBLEM = frozenset({"type", "title", "status", "detail", "code", "request_id"})


class ClientError(Exception):
    """Any call that did not end with the answer asked for."""


class ApiProblem(ClientError):
    """A refusal by the API: an RFC 9457 problem document, its fields as attributes.

    `document` is the whole body; fields the refusal does not have read as None (lists as empty).
    """

    def __init__(self, document: Mapping[str, Any], retry_after_s: float | None = None) -> None:
        self.document = dict(document)
        self.retry_after_s = retry_after_s
        super().__init__(f"{self.code} ({self.status}): {self.detail}")

    @property
    def code(self) -> str:
        return str(self.document.get("code", ""))

    @property
    def status(self) -> int:
        return int(self.document.get("status", 0))

    @property
    def title(self) -> str:
        return str(self.document.get("title", ""))

    @property
    def detail(self) -> str:
        """What happened and what to do next, in the language asked for."""
        return str(self.document.get("detail", ""))

    @property
    def request_id(self) -> str:
        return str(self.document.get("request_id", ""))

    @property
    def extra(self) -> dict[str, Any]:
        """Everything that not every problem has."""
        return {name: value for name, value in self.document.items() if name not in _OF_EVERY_PROBLEM}

    @property
    def errors(self) -> Any:
        return self.document.get("errors")

    @property
    def version(self) -> int | None:
        return cast("int | None", self.document.get("version"))

    @property
    def missed(self) -> list[Entry]:
        return cast("list[Entry]", self.document.get("missed") or [])

    @property
    def outcomes(self) -> list[Outcome]:
        return cast("list[Outcome]", self.document.get("outcomes") or [])

    @property
    def index(self) -> int | None:
        """Place of the refused action in its batch, from 0."""
        return cast("int | None", self.document.get("index"))

    @property
    def action_id(self) -> str | None:
        return cast("str | None", self.document.get("action_id"))

    @property
    def game(self) -> Game | None:
        return cast("Game | None", self.document.get("game"))


class Unreachable(ClientError):
    """No answer came; `url` is the gateway's address."""

    def __init__(self, url: str, reason: str) -> None:
        self.url = url
        self.reason = reason
        super().__init__(f"{url}: {reason}")


class NoGateway(Unreachable):
    """No connection came about, so nothing was sent."""


class Lost(Unreachable):
    """The connection broke or timed out after the request was sent; it may have been carried out."""


class UnexpectedAnswer(ClientError):
    """Something answered that is not a gateway of Ninety-Eight, or not in its right mind."""

    def __init__(self, url: str, status: int, reason: str) -> None:
        self.url = url
        self.status = status
        self.reason = reason
        super().__init__(f"{url} answered {status}: {reason}")
