"""What can be played, and judging a whole log without storing anything; no sign-in needed."""

from collections.abc import Sequence
from typing import Any, cast

from gateway.client.calls import Calls
from gateway.client.contract import Action, Evaluation, Options, Page
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
