"""Asks rules, over the bus: what a batch of actions leads to."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from services.sessions.domain.game import Game, Head, Judgement
from services.sessions.domain.results import Seen
from shared.bus.requests import NoAnswer
from shared.contracts.actions import TIMELINE

TIMEOUT_S = 2.0
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
    ) -> Judgement:
        """What `actions` lead to from the head of `game`, up to the first refused; raises `Refused`, `Away`.

        `log` gives all actions so far; it is read only when the batch undoes or redoes. With `tables`,
        the judgement has what there is to see after each action.
        """
        head = game.head
        more: dict[str, Any] = {"tables": True} if tables else {}
        if any(action["type"] in TIMELINE for action in actions):
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

    def _ask(
        self,
        ruleset: str,
        rules_version: str | None,
        options: dict[str, Any],
        actions: Sequence[dict[str, Any]],
        *,
        state: Any = None,
        log: list[dict[str, Any]] | None = None,
        **more: Any,
    ) -> dict[str, Any]:
        doubtful = self._clock() - self._unanswered_at < DOUBT_S
        body = {
            "ruleset": ruleset,
            "rules_version": rules_version,
            "options": options,
            "state": state,
            "log": log,
            "actions": list(actions),
            **more,
        }
        try:
            answer = self._requests.ask(body, DOUBT_TIMEOUT_S if doubtful else TIMEOUT_S)
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
    )
