"""Recording actions: each accepted one is in the log exactly once, each refusal says why."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import game_store, log_store
from services.sessions.adapters.rules import Away, Refused, Rules
from services.sessions.application.locks import KeyedLocks
from services.sessions.domain.batch import Plan, plan
from services.sessions.domain.game import Game, Head, Judgement
from services.sessions.domain.log import By, Entry, effective
from services.sessions.domain.results import changes
from shared.storage.ids import new_id
from shared.web.problems import Problem

QUEUE_S = 5.0
PATIENCE_S = 2.0
MISSED_LIMIT = 200
LOG_LIMIT = 2_000
SHOWN_TOGETHER = 16  # so many entries tell with them what there was to see after each


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


@dataclass(frozen=True, slots=True)
class Refusal:
    """What stopped a batch: a problem `code` at `index`."""

    code: str
    index: int
    action_id: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The game after a batch, an outcome per action looked at, and what stopped it if anything did."""

    game: Game
    outcomes: list[dict[str, Any]]
    refusal: Refusal | None


class Play:
    """The use case behind `POST /v1/games/{id}/actions`; `engine` is in autocommit mode."""

    def __init__(
        self,
        engine: Engine,
        rules: Rules,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._now = now
        self._clock = clock
        self._locks = KeyedLocks()

    def record(
        self, sender: Sender, game_id: UUID, sent: Sequence[Sent], expected_version: int | None
    ) -> Answer:
        """Record `sent` in order, up to the first refused one.

        Raises `Problem`: not_found, game_in_bin, version_conflict, log_full, service_unavailable; then
        nothing of the batch was applied.
        """
        try:
            with self._locks.hold(game_id, QUEUE_S):
                deadline = self._clock() + PATIENCE_S
                first: int | None = None
                while True:
                    game, batch = self._plan(sender, game_id, sent)
                    first = game.head.version if first is None else first
                    if batch.fresh:
                        self._check_version(game, sent, expected_version)
                    answer = self._attempt(sender, game, batch, sent)
                    if answer is not None:
                        return answer
                    if self._clock() > deadline:
                        raise self._conflict(game_id, first, [])
        except TimeoutError as error:
            raise Problem("service_unavailable") from error

    def _plan(self, sender: Sender, game_id: UUID, sent: Sequence[Sent]) -> tuple[Game, Plan]:
        actions = [one.action for one in sent]
        with self._engine.connect() as connection:
            loaded = game_store.load(
                connection, game_id, sender.owner_id, [action["id"] for action in actions]
            )
        if loaded is None:
            raise Problem("not_found")
        if loaded.game.binned_at is not None:
            raise Problem("game_in_bin")
        return loaded.game, plan(actions, loaded.seen)

    def _check_version(self, game: Game, sent: Sequence[Sent], expected: int | None) -> None:
        """Entries that this very batch wrote before, when its answer was lost, are not missed ones."""
        if expected is None or expected == game.head.version:
            return
        conflict = self._conflict(game.id, expected, [one.action["id"] for one in sent])
        if expected > game.head.version or conflict.extra["missed"]:
            raise conflict

    def _conflict(self, game_id: UUID, since: int, own: Sequence[str]) -> Problem:
        with self._engine.connect() as connection:
            types = log_store.log_types(connection, game_id)
            entries = log_store.log_page(connection, game_id, since, MISSED_LIMIT)
        version, standing = len(types), effective(types)
        missed = [
            e.document(effective=e.seq in standing)
            for e in entries
            if e.seq <= version and e.action["id"] not in own
        ]
        return Problem("version_conflict", version=version, missed=missed)

    def _attempt(self, sender: Sender, game: Game, batch: Plan, sent: Sequence[Sent]) -> Answer | None:
        """Judge and store what is new; None when another process moved the game on meanwhile."""
        judgement = self._judge(sender, game, [batch.actions[index] for index in batch.fresh])
        entries = self._entries(sender, game, batch, sent, judgement)
        if entries:
            if game.head.version + len(entries) > LOG_LIMIT:
                raise Problem("log_full")
            recorded_at = entries[-1].recorded_at
            head = judgement.head.confirmed(recorded_at)
            events = _events(game, head, entries, judgement)
            with self._engine.connect() as connection:
                if not log_store.advance(connection, game, head, entries, events, sender.traceparent):
                    return None
            game = game.as_of(head, recorded_at)
        return _answer(game, batch, sent, judgement, entries)

    def _judge(self, sender: Sender, game: Game, actions: list[dict[str, Any]]) -> Judgement:
        """What rules says; a sender who may not take a result back is stopped where that would happen."""
        judgement = self._ask(game, actions)
        reopening = None if sender.may_reopen else judgement.reopening(game.head.result)
        if reopening is None:
            return judgement
        return self._ask(game, actions[:reopening]).then_refused("role_insufficient")

    def _ask(self, game: Game, actions: list[dict[str, Any]]) -> Judgement:
        if not actions:
            return Judgement([], game.head)

        def log() -> list[dict[str, Any]]:
            with self._engine.connect() as connection:
                return log_store.log_actions(connection, game.id, game.head.version)

        try:
            return self._rules.judge(game, actions, log, tables=1 < len(actions) <= SHOWN_TOGETHER)
        except Away as error:
            raise Problem("service_unavailable") from error
        except Refused as error:
            raise Problem(error.code, **({"errors": error.errors} if error.errors else {})) from error

    def _entries(
        self, sender: Sender, game: Game, batch: Plan, sent: Sequence[Sent], judgement: Judgement
    ) -> list[Entry]:
        recorded_at = max(self._now(), game.updated_at)
        return [
            Entry(
                game.head.version + n,
                batch.actions[index],
                sender.by,
                sent[index].at,
                recorded_at,
                judgement.head.rules_version,
                outcome["instructions"],
                outcome["warnings"],
            )
            for n, (index, outcome) in enumerate(zip(batch.fresh, judgement.accepted, strict=False), 1)
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
    told = [("advanced", data)]
    for change in changes(game.head.result, judgement.results):
        told.append((change.kind, {"game_id": game.id, "version": game.head.version + change.number}))
    return [{"event_id": new_id(), "type": f"sessions.game.{kind}", "data": data} for kind, data in told]


def _answer(
    game: Game, batch: Plan, sent: Sequence[Sent], judgement: Judgement, entries: Sequence[Entry]
) -> Answer:
    """Outcomes in the order of the request, up to and including what stopped it."""
    seqs = dict(zip(batch.fresh, entries, strict=False))
    judged = dict(zip(batch.fresh, judgement.outcomes, strict=False))
    outcomes: list[dict[str, Any]] = []
    for index, action in enumerate(batch.actions):
        earlier = batch.earlier.get(index) or seqs.get(batch.repeats.get(index, -1))
        if earlier is not None:
            outcomes.append(_accepted(earlier, "duplicate"))
        elif index in seqs:
            outcomes.append(_accepted(seqs[index], "accepted"))
        else:
            code = judged[index]["code"]
            outcomes.append(_rejected(action["id"], code))
            return Answer(game, outcomes, Refusal(code, index, action["id"]))
    if batch.reused is None:
        return Answer(game, outcomes, None)
    action_id = sent[batch.reused].action["id"]
    outcomes.append(_rejected(action_id, "action_id_reused"))
    return Answer(game, outcomes, Refusal("action_id_reused", batch.reused, action_id))


def _accepted(entry: Entry, verdict: str) -> dict[str, Any]:
    return {
        "action_id": entry.action["id"],
        "verdict": verdict,
        "seq": entry.seq,
        "instructions": entry.instructions,
        "warnings": entry.warnings,
    }


def _rejected(action_id: str, code: str) -> dict[str, Any]:
    return {"action_id": action_id, "verdict": "rejected", "code": code, "instructions": [], "warnings": []}
