"""Judging actions: what rules says of them, and what besides only the owner of a game may do."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine

from services.sessions.adapters import log_store
from services.sessions.adapters.rules import Rules
from services.sessions.application.examining import overruling
from services.sessions.application.relying import answered
from services.sessions.domain import outcomes
from services.sessions.domain.game import Game, Judgement
from shared.contracts.actions import TAKING_BACK

SHOWN_TOGETHER = 16  # so many entries tell with them what there was to see after each
OVERSTEPS_LIMIT = 4  # so often a branch is judged again without what its sender may not do


class Judging:
    """Asks rules; `engine` is in autocommit mode."""

    def __init__(self, engine: Engine, rules: Rules) -> None:
        self._engine = engine
        self._rules = rules

    def judge(
        self, game: Game, actions: list[dict[str, Any]], *, is_owner: bool = True, go_on: bool = False
    ) -> Judgement:
        """What `actions` lead to from the head of `game`, up to the first refused one or, with `go_on`, all.

        Whoever is not the owner is refused what only the owner may. Raises `Problem`: service_unavailable
        and what rules refuses by name.
        """
        judgement = self._ask(game, actions, go_on)
        refused: list[int] = []
        while not is_owner:
            asked = [number for number in range(len(actions)) if number not in refused]
            overstep = self._overstep(game, [actions[n] for n in asked], judgement)
            if overstep is None:
                break
            number = asked[overstep]
            if not go_on or len(refused) == OVERSTEPS_LIMIT:
                # Whatever comes after can hardly be more than another try.
                last = number + 1 if not go_on else len(actions)
                kept = [actions[n] for n in asked if n < number]
                return _with_refused(self._ask(game, kept, go_on), [*refused, *range(number, last)])
            refused.append(number)
            judgement = self._ask(game, [actions[n] for n in asked if n != number], go_on)
        return _with_refused(judgement, refused)

    def _overstep(self, game: Game, actions: list[dict[str, Any]], judgement: Judgement) -> int | None:
        """The index of the first of `actions`, all of them judged, that only the owner may do."""
        found = [judgement.reopening(game.head.result)]
        accepted = [n for n, it in enumerate(judgement.outcomes) if it["verdict"] == outcomes.ACCEPTED]
        kinds = [actions[n]["type"] for n in accepted]
        if TAKING_BACK.intersection(kinds):
            with self._engine.connect() as connection:
                overruled = overruling(connection, game.id, game.head.version, kinds)
            found.append(None if overruled is None else accepted[overruled])
        return min((n for n in found if n is not None), default=None)

    def _ask(self, game: Game, actions: list[dict[str, Any]], go_on: bool) -> Judgement:
        if not actions:
            return Judgement([], game.head)

        def log() -> list[dict[str, Any]]:
            with self._engine.connect() as connection:
                return log_store.log_actions(connection, game.id, game.head.version)

        more = {"go_on": True} if go_on else {}
        with answered():
            return self._rules.judge(game, actions, log, tables=1 < len(actions) <= SHOWN_TOGETHER, **more)


def _with_refused(judgement: Judgement, refused: Sequence[int]) -> Judgement:
    """The judgement of all, from that of those that were not `refused` (in order) to begin with."""
    judged = list(judgement.outcomes)
    for number in refused:
        judged.insert(number, {"verdict": outcomes.REJECTED, "code": "role_insufficient"})
    return replace(judgement, outcomes=judged)
