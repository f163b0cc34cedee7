"""Asks rules, over the bus: what a batch of actions leads to."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from services.sessions.domain.game import Game, Head, Judgement
from services.sessions.domain.results import Seen
from shared.bus.requests import NoAnswer
from shared.contracts.actions import NEEDS_LOG

TIMEOUT_S = 2.0
LONG_TIMEOUT_S = 5.0  # for what a device recorded on its own: many actions, and two stories to compare
DOUBT_TIMEOUT_S = 0.3
DOUBT_S = 5.0


class Away(Exception):
    """The service asked did not answer in time; nothing was changed."""


class Refused(Exception):
    """Rules refused the request as a whole, with a problem `code` and perhaps `errors`."""

    def __init__(self, code: str, errors: Any = None) -> None:
        super().__init__(code)
        self.code = code
        self.errors = errors


class Asks(Protocol):
    """The part of `shared.bus.requests.Requests` used here."""

    def ask(self, body: dict[str, Any], timeout_s: float) -> dict[str, Any]: ...


class Rules:
    """The rules service as sessions sees it; safe to use from many threads.

    After an unanswered request the next ones wait only briefly, so that callers are told soon.
    """

    def __init__(self, requests: Asks, clock: Callable[[], float] = time.monotonic) -> None:
        self._requests = requests
        self._clock = clock
        self._unanswered_at = float("-inf")

    def start(self, ruleset: str, options: dict[str, Any]) -> tuple[dict[str, Any], Head]:
        """The complete options and the head of a new game; raises `Refused`, `Away`."""
        answer = self._ask(ruleset, None, options, [], log=[])
        return answer["options"], _head(answer, 0)

    def judge(
        self,
        game: Game,
        actions: Sequence[dict[str, Any]],
        log: Callable[[], list[dict[str, Any]]],
        *,
        tables: bool = False,
        go_on: bool = False,
    ) -> Judgement:
        """What `actions` lead to from the head of `game`, up to the first refused; raises `Refused`, `Away`.

        `log` gives all actions so far; it is read only when one of the batch needs it, as undo does. With
        `tables`, the judgement has what there is to see after each action. With `go_on` all are judged: a
        refused one changes nothing.
        """
        head = game.head
        more: dict[str, Any] = {"tables": True} if tables else {}
        if go_on:
            more |= {"go_on": True, "timeout_s": LONG_TIMEOUT_S}
        if any(action["type"] in NEEDS_LOG for action in actions):
            answer = self._ask(game.ruleset, head.rules_version, game.options, actions, log=log(), **more)
        else:
            answer = self._ask(
                game.ruleset, head.rules_version, game.options, actions, state=head.state, **more
            )
        accepted = sum(outcome["verdict"] == "accepted" for outcome in answer["outcomes"])
        after = _head(answer, head.version + accepted) if accepted else head
        return Judgement(answer["outcomes"], after)

    def fold(self, game: Game, log: list[dict[str, Any]]) -> Head:
        """The head of `game` after the actions of `log` and no others; raises `Refused`, `Away`."""
        answer = self._ask(game.ruleset, game.head.rules_version, game.options, [], log=log)
        return _head(answer, len(log))

    def recall(self, game: Game, log: list[dict[str, Any]], since: int) -> list[Seen]:
        """What there was to see after each action of `log` but the first `since`.

        Raises `Refused`, `Away`.
        """
        answer = self._ask(game.ruleset, game.head.rules_version, game.options, [], log=log, since=since)
        return [Seen(seen["table"], seen["result"]) for seen in answer["after"]]

    def reconcile(
        self,
        game: Game,
        log: list[dict[str, Any]],
        base_version: int,
        branch: list[dict[str, Any]],
        newer: str | None = None,
    ) -> dict[str, Any]:
        """What `log` and a `branch` from `base_version` on make together, as rules puts it.

        `newer` says which side its texts are to call the newer one: "cloud" or "device". Raises `Refused`,
        `Away`.
        """
        more: dict[str, Any] = {"newer": newer} if newer else {}
        return self._ask(
            game.ruleset,
            game.head.rules_version,
            game.options,
            [],
            log=log,
            timeout_s=LONG_TIMEOUT_S,
            base_version=base_version,
            branch=branch,
            **more,
        )

    def _ask(
        self,
        ruleset: str,
        rules_version: str | None,
        options: dict[str, Any],
        actions: Sequence[dict[str, Any]],
        *,
        state: Any = None,
        log: list[dict[str, Any]] | None = None,
        timeout_s: float = TIMEOUT_S,
        **more: Any,
    ) -> dict[str, Any]:
        body = {
            "ruleset": ruleset,
            "rules_version": rules_version,
            "options": options,
            "state": state,
            "log": log,
            "actions": list(actions),
            **more,
        }
        doubtful = self._clock() - self._unanswered_at < DOUBT_S
        try:
            answer = self._requests.ask(body, DOUBT_TIMEOUT_S if doubtful else timeout_s)
        except NoAnswer as error:
            self._unanswered_at = self._clock()
            raise Away("rules") from error
        self._unanswered_at = float("-inf")
        if "error" in answer:
            raise Refused(answer["error"]["code"], answer["error"].get("errors"))
        return answer


def _head(answer: dict[str, Any], version: int) -> Head:
    return Head(
        version,
        answer["rules_version"],
        answer["state"],
        answer["table"],
        answer["result"],
        answer.get("undo"),
        answer.get("redo"),
        answer.get("summary"),
    )
