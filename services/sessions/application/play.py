"""Recording actions: each accepted one is in the log exactly once, each refusal says why."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from services.sessions.adapters import game_store, log_store
from services.sessions.application.recording import LOG_LIMIT, Recorded, Recorder, Sender, Sent
from services.sessions.domain import outcomes
from services.sessions.domain.batch import Plan, plan
from services.sessions.domain.game import Game
from services.sessions.domain.log import effective
from shared.web.problems import Problem

__all__ = ["LOG_LIMIT", "Answer", "Play", "Refusal", "Sender", "Sent"]

PATIENCE_S = 2.0
MISSED_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Refusal:
    """What stopped a batch: a problem `code` at `index`; some say more about it in `errors`."""

    code: str
    index: int
    action_id: str
    errors: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The game after a batch, an outcome per action looked at, and what stopped it if anything did."""

    game: Game
    outcomes: list[dict[str, Any]]
    refusal: Refusal | None


class Play:
    """The use case behind `POST /v1/games/{id}/actions`, and of whatever else is one entry of the log."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._engine = recorder.engine

    def record(
        self, sender: Sender, game_id: UUID, sent: Sequence[Sent], expected_version: int | None
    ) -> Answer:
        """Record `sent` in order, up to the first refused one.

        Raises `Problem`: not_found, game_in_bin, version_conflict, log_full, service_unavailable; then
        nothing of the batch was applied.
        """
        with self._recorder.hold(game_id):
            deadline = self._recorder.clock() + PATIENCE_S
            first: int | None = None
            while True:
                game, batch = self._plan(sender, game_id, sent)
                first = game.head.version if first is None else first
                if batch.fresh:
                    self._check_version(game, sent, expected_version)
                fresh = [sent[index] for index in batch.fresh]
                recorded = self._recorder.record(sender, game, fresh)
                if recorded is not None:
                    return _answer(recorded, batch, sent)
                if self._recorder.clock() > deadline:
                    raise self.conflict(game_id, first, [])

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
        conflict = self.conflict(game.id, expected, [one.action["id"] for one in sent])
        if expected > game.head.version or conflict.extra["missed"]:
            raise conflict

    def conflict(self, game_id: UUID, since: int, own: Sequence[str]) -> Problem:
        """That the game has moved on, with what came after `since` but actions of one's `own`."""
        with self._engine.connect() as connection:
            marks = log_store.log_marks(connection, game_id)
            entries = log_store.log_page(connection, game_id, since, MISSED_LIMIT)
        version, standing = len(marks), effective(marks)
        missed = [
            e.document(effective=e.seq in standing)
            for e in entries
            if e.seq <= version and e.action["id"] not in own
        ]
        return Problem("version_conflict", version=version, missed=missed)


def _answer(recorded: Recorded, batch: Plan, sent: Sequence[Sent]) -> Answer:
    """Outcomes in the order of the request, up to and including what stopped it."""
    judged = dict(zip(batch.fresh, recorded.outcomes, strict=False))
    told: list[dict[str, Any]] = []
    for index, action in enumerate(batch.actions):
        if index in batch.earlier:
            told.append(outcomes.of_entry(batch.earlier[index], outcomes.DUPLICATE))
        elif index in batch.repeats:
            told.append({**judged[batch.repeats[index]], "verdict": outcomes.DUPLICATE})
        else:
            told.append(judged[index])
            if judged[index]["verdict"] == outcomes.REJECTED:
                stopped = judged[index]
                refusal = Refusal(stopped["code"], index, action["id"], stopped.get("errors"))
                return Answer(recorded.game, told, refusal)
    if batch.reused is None:
        return Answer(recorded.game, told, None)
    action_id = sent[batch.reused].action["id"]
    told.append(outcomes.of_refusal(action_id, "action_id_reused"))
    return Answer(recorded.game, told, Refusal("action_id_reused", batch.reused, action_id))
