"""What can be played, its rules as text, and judging a log without storing anything; no sign-in needed."""

from collections.abc import Sequence
from typing import Any, cast

from gateway.client.calls import Calls
from gateway.client.contract import Action, Evaluation, Guide, Options, Page
from gateway.client.transport import Request, path


class Rulesets:
    """`/v1/rulesets`."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def page(self) -> Page[dict[str, Any]]:
        request = Request("GET", path("rulesets"), repeatable=True)
        return cast("Page[dict[str, Any]]", self._calls.guest_document(request))

    def get(self, ruleset: str = "the-game") -> dict[str, Any]:
        """Options with their values, piles, hand sizes, cards, version and what is not covered."""
        request = Request("GET", path("rulesets", ruleset), repeatable=True)
        return cast("dict[str, Any]", self._calls.guest_document(request))

    def guide(self, language: str | None = None, ruleset: str = "the-game") -> Guide:
        """The rules as text, whole in `language` (`en`, `es`, …), else in the client's, else in English."""
        request = Request(
            "GET", path("rulesets", ruleset, "guide"), query={"lang": language}, repeatable=True
        )
        return cast("Guide", self._calls.guest_document(request))

    def figure(self, name: str, ruleset: str = "the-game") -> bytes:
        """A drawing of the guide, as an SVG document."""
        where = path("rulesets", ruleset, "guide", f"{name}.svg")
        return self._calls.guest_body(Request("GET", where, accept="image/svg+xml", repeatable=True))

    def evaluate(
        self,
        options: Options,
        actions: Sequence[Action],
        *,
        tables: bool = False,
        ruleset: str = "the-game",
    ) -> Evaluation:
        """Judge 0 to 1,000 actions from the start: one outcome each, with the table after it if `tables`."""
        request = Request(
            "POST",
            path("rulesets", ruleset, "evaluate"),
            query={"tables": True} if tables else {},
            body={"options": options, "actions": list(actions)},
            repeatable=True,
        )
        return cast("Evaluation", self._calls.guest_document(request))
