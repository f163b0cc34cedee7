"""Judging what is new and storing what was accepted, together with what is told of it."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import log_store, parked_store
from services.sessions.adapters.rules import Away, Refused, Rules
from services.sessions.application.locks import KeyedLocks
from services.sessions.domain import outcomes
from services.sessions.domain.game import Game, Head, Judgement
from services.sessions.domain.log import By, Entry
from services.sessions.domain.parked import Parked
from services.sessions.domain.resolutions import RESOLVE
from services.sessions.domain.results import changes
from shared.storage.ids import new_id
from shared.web.problems import Problem

QUEUE_S = 5.0
LOG_LIMIT = 2_000
SHOWN_TOGETHER = 16  # so many entries tell with them what there was to see after each
REOPENINGS_LIMIT = 4  # so often a branch is judged again without what its sender may not do


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends actions to a game of `owner_id`, the trace they belong to, and whether a result may go."""

    owner_id: UUID
    by: By
    traceparent: str | None = None
    may_reopen: bool = True


@dataclass(frozen=True, slots=True)
class Sent:
    """One action in normal form with the client's clock (aware) if it was given."""

    action: dict[str, Any]
    at: datetime | None = None

    @property
    def id(self) -> str:
        """The id that the client made for it."""
        return str(self.action["id"])


@dataclass(frozen=True, slots=True)
class Recorded:
    """The game after a batch, and an outcome for each of its actions that was looked at."""

    game: Game
    outcomes: list[dict[str, Any]]


class Recorder:
    """Puts what is new into the log of a game; `engine` is in autocommit mode. One per process."""

    def __init__(
        self,
        engine: Engine,
        rules: Rules,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self.rules = rules
        self.now = now
        self.clock = clock
        self._locks = KeyedLocks()

    @contextmanager
    def hold(self, game_id: UUID) -> Iterator[None]:
        """Be the only one in this process who records there; raises `Problem` service_unavailable."""
        try:
            with self._locks.hold(game_id, QUEUE_S):
                yield
        except TimeoutError as error:
            raise Problem("service_unavailable") from error

    def record(
        self, sender: Sender, game: Game, fresh: Sequence[Sent], *, park: bool = False
    ) -> Recorded | None:
        """Judge `fresh` from the head of `game` and store what was accepted, up to the first refused one.

        With `park` it goes on after a refused one, which is kept as such. None, and nothing stored, when
        another process moved the game on meanwhile. Raises `Problem`: log_full, service_unavailable and
        what rules refuses by name.
        """
        judgement = self._judge(sender, game, [one.action for one in fresh], go_on=park)
        recorded_at = max(self.now(), game.updated_at)
        entries = _entries(sender.by, game, fresh, judgement, recorded_at)
        refused = parked(sender.by, fresh, judgement.outcomes, recorded_at) if park else []
        if entries:
            if game.head.version + len(entries) > LOG_LIMIT:
                raise Problem("log_full")
            head = judgement.head.confirmed(recorded_at)
            told = list(entries.values())
            events = _events(game, head, told, judgement)
            with self.engine.connect() as connection:
                if not log_store.advance(connection, game, head, told, events, sender.traceparent, refused):
                    return None
            game = game.as_of(head, recorded_at)
        elif refused:
            with self.engine.connect() as connection:
                if not parked_store.park(connection, game, refused):
                    return None
        return Recorded(game, _outcomes(fresh, judgement, entries))

    def _judge(self, sender: Sender, game: Game, actions: list[dict[str, Any]], *, go_on: bool) -> Judgement:
        """What rules says; a sender who may not take a result back is refused what would do so."""
        judgement = self._ask(game, actions, go_on)
        if sender.may_reopen:
            return judgement
        refused: list[int] = []
        while (reopening := judgement.reopening(game.head.result)) is not None:
            asked = [number for number in range(len(actions)) if number not in refused]
            number = asked[reopening]
            if not go_on or len(refused) == REOPENINGS_LIMIT:
                # Whatever comes after a result can hardly be more than another try to take it back.
                last = number + 1 if not go_on else len(actions)
                kept = [actions[n] for n in asked if n < number]
                return _with_refused(self._ask(game, kept, go_on), [*refused, *range(number, last)])
            refused.append(number)
            judgement = self._ask(game, [actions[n] for n in asked if n != number], go_on)
        return _with_refused(judgement, refused)

    def _ask(self, game: Game, actions: list[dict[str, Any]], go_on: bool) -> Judgement:
        if not actions:
            return Judgement([], game.head)

        def log() -> list[dict[str, Any]]:
            with self.engine.connect() as connection:
                return log_store.log_actions(connection, game.id, game.head.version)

        more = {"go_on": True} if go_on else {}
        try:
            return self.rules.judge(game, actions, log, tables=1 < len(actions) <= SHOWN_TOGETHER, **more)
        except Away as error:
            raise Problem("service_unavailable") from error
        except Refused as error:
            raise Problem(error.code, **({"errors": error.errors} if error.errors else {})) from error


def _with_refused(judgement: Judgement, refused: Sequence[int]) -> Judgement:
    """The judgement of all, from that of those that were not `refused` (in order) to begin with."""
    judged = list(judgement.outcomes)
    for number in refused:
        judged.insert(number, {"verdict": outcomes.REJECTED, "code": "role_insufficient"})
    return replace(judgement, outcomes=judged)


def _entries(
    by: By, game: Game, fresh: Sequence[Sent], judgement: Judgement, recorded_at: datetime
) -> dict[int, Entry]:
    """The entries of the accepted actions, by their index in `fresh`."""
    accepted = [n for n, it in enumerate(judgement.outcomes) if it["verdict"] == outcomes.ACCEPTED]
    return {
        index: Entry(
            seq,
            fresh[index].action,
            by,
            fresh[index].at,
            recorded_at,
            judgement.head.rules_version,
            judgement.outcomes[index]["instructions"],
            judgement.outcomes[index]["warnings"],
        )
        for seq, index in enumerate(accepted, game.head.version + 1)
    }


def parked(
    by: By, sent: Sequence[Sent], judged: Sequence[dict[str, Any]], parked_at: datetime
) -> list[Parked]:
    """What to keep of the refused ones among actions that were all `judged`."""
    return [
        Parked(it.action, outcome["code"], by, it.at, parked_at)
        for it, outcome in zip(sent, judged, strict=True)
        if outcome["verdict"] == outcomes.REJECTED
    ]


def _outcomes(fresh: Sequence[Sent], judgement: Judgement, entries: dict[int, Entry]) -> list[dict[str, Any]]:
    return [
        outcomes.of_entry(entries[n], outcomes.ACCEPTED)
        if n in entries
        else outcomes.of_judged(fresh[n].action["id"], judged)
        for n, judged in enumerate(judgement.outcomes)
    ]


def _events(game: Game, head: Head, entries: Sequence[Entry], judgement: Judgement) -> list[dict[str, Any]]:
    """What others are told: the entries with the head they lead to, and where a result came or went."""
    taken_back = {"undo", "redo"}
    data: dict[str, Any] = {
        "game_id": game.id,
        "version": head.version,
        "entries": [e.document(effective=e.action["type"] not in taken_back) for e in entries],
        "table": head.table,
        "result": head.result,
    }
    if len(entries) > 1 and judgement.seen:
        data["after"] = [
            seen.document(e.recorded_at) for seen, e in zip(judgement.seen, entries, strict=True)
        ]
    told = [("game.advanced", data)]
    for change in changes(game.head.result, judgement.results):
        changed = {"game_id": game.id, "version": game.head.version + change.number}
        told.append((f"game.{change.kind}", changed))
    for action in (entry.action for entry in entries if entry.action["type"] == RESOLVE):
        told.append(("conflict.settled", {"game_id": game.id, "conflict_id": action["conflict_id"]}))
    return [{"event_id": new_id(), "type": f"sessions.{kind}", "data": data} for kind, data in told]
