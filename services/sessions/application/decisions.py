"""Deciding a conflict: one entry of the log says what people chose, and undo takes it back."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import conflict_store, log_store
from services.sessions.adapters.rules import Rules
from services.sessions.application.examining import examine, subject
from services.sessions.application.play import Play, Sender, Sent
from services.sessions.application.reconcile import Reconcile
from services.sessions.domain import resolutions
from services.sessions.domain.batch import same
from services.sessions.domain.branch import NEEDS_DECISION, PENDING, SETTLED, Conflict, Examined
from services.sessions.domain.game import Game
from services.sessions.domain.log import By, Mark, effective
from services.sessions.domain.resolutions import AT_TABLE, BOTH, IN_CLOUD, ON_DEVICE, Resolution
from shared.web.problems import Problem


@dataclass(frozen=True, slots=True)
class Decision:
    """What people chose; `expected_version` is that of the log they looked at, None for the conflict's."""

    choice: str
    table: dict[str, Any] | None = None
    expected_version: int | None = None


class Decisions:
    """The use case; `reader` is in autocommit mode, `engine` has transactions."""

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        rules: Rules,
        play: Play,
        reconcile: Reconcile,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._rules = rules
        self._play = play
        self._reconcile = reconcile
        self._now = now

    def decide(
        self,
        owner_id: UUID,
        by: By,
        conflict_id: UUID,
        decision: Decision,
        traceparent: str | None = None,
    ) -> Game:
        """Settle the owner's conflict; the same decision again finds it settled.

        Raises `Problem`: not_found, game_in_bin, conflict_settled, no_proposal, table_impossible, log_full,
        service_unavailable; and version_conflict where the log has moved on since it was looked at: then
        nothing is decided, and the conflict is as it is with what came since.
        """
        conflict, game, resolved = self._load(owner_id, conflict_id)
        if game.binned_at is not None:
            raise Problem("game_in_bin")
        if resolutions.status(conflict, resolved) == PENDING:
            self._reconcile.run(conflict_id)
            conflict, game, resolved = self._load(owner_id, conflict_id)
        settled = resolutions.settling(conflict, resolved)
        if settled is not None:
            if not settled.is_decision(decision.choice, decision.table):
                raise Problem("conflict_settled")
            status = resolutions.status(conflict, resolved)
            if conflict.status != status and conflict.found is not None:
                self._note(conflict, status, _known(conflict))
            # The game that was read before may be older than the entry that settled it.
            return self._load(owner_id, conflict_id)[1]
        if conflict.found is None or conflict.status == PENDING:
            raise Problem("service_unavailable")
        examined = self._current(game, conflict, decision)
        action = _action(conflict, game, resolved, decision, examined)
        sender = Sender(owner_id, by, traceparent)
        self._write(sender, game, conflict, Sent(action))
        self._note(conflict, SETTLED, examined)
        return self._load(owner_id, conflict_id)[1]

    def _load(self, owner_id: UUID, conflict_id: UUID) -> tuple[Conflict, Game, list[Resolution]]:
        with self._reader.connect() as connection:
            conflict = conflict_store.load(connection, owner_id, conflict_id)
            about = None if conflict is None else subject(connection, conflict)
        if conflict is None or about is None:
            raise Problem("not_found")
        return (conflict, *about)

    def _current(self, game: Game, conflict: Conflict, decision: Decision) -> Examined:
        """What was found, made anew where the log has moved on; raises `Problem` version_conflict.

        An undo that brought back what was looked at has not moved it on.
        """
        with self._reader.connect() as connection:
            marks = log_store.log_marks(connection, game.id)[: game.head.version]
        known = _known(conflict)
        expected = decision.expected_version
        is_stale = not _is_as(marks, known.version)
        examined = examine(self._reader, self._rules, game, conflict) if is_stale else known
        looked_at = known.version if expected is None else expected
        has_other_proposal = decision.choice == BOTH and not same(_both(known), _both(examined))
        if not _is_as(marks, looked_at) or has_other_proposal:
            if is_stale:
                self._note(conflict, NEEDS_DECISION, examined)
            raise self._play.conflict(game.id, min(looked_at, known.version), [])
        return examined

    def _write(self, sender: Sender, game: Game, conflict: Conflict, sent: Sent) -> None:
        """Put the decision into the log, at the head of `game` and nowhere else."""
        try:
            answer = self._play.record(sender, game.id, [sent], game.head.version)
        except Problem as problem:
            if problem.code == "version_conflict":
                moved_on = self._load(sender.owner_id, conflict.id)[1]
                self._note(conflict, NEEDS_DECISION, examine(self._reader, self._rules, moved_on, conflict))
            raise
        if answer.refusal is None:
            return
        if answer.refusal.code == "action_id_reused":
            raise Problem("conflict_settled")
        errors = answer.refusal.errors
        raise Problem(answer.refusal.code, **({"errors": errors} if errors else {}))

    def _note(self, conflict: Conflict, status: str, examined: Examined) -> None:
        with self._engine.begin() as connection:
            conflict_store.record_found(connection, conflict, status, examined, self._now())


def _known(conflict: Conflict) -> Examined:
    """What is stored of a conflict that was looked at."""
    return Examined(conflict.found or {}, conflict.outline, conflict.cloud_version)


def _is_as(marks: list[Mark], version: int) -> bool:
    """Whether the log says what it said at `version`."""
    return version <= len(marks) and effective(marks[:version]) == effective(marks)


def _both(examined: Examined) -> dict[str, Any] | None:
    """The story that both sides fit into."""
    found: dict[str, Any] = examined.found
    story = found if examined.is_settled else found["proposal"]
    return story and {"base_version": story["base_version"], "actions": story["actions"]}


def _action(
    conflict: Conflict, game: Game, resolved: list[Resolution], decision: Decision, examined: Examined
) -> dict[str, Any]:
    stories: dict[str, dict[str, Any] | None] = {
        IN_CLOUD: {"base_version": game.head.version, "actions": []},
        ON_DEVICE: examined.found["device"],
        BOTH: _both(examined),
        AT_TABLE: examined.found,
    }
    story = stories[decision.choice]
    if story is None:
        raise Problem("no_proposal")
    earlier = sum(resolution.action["conflict_id"] == str(conflict.id) for resolution in resolved)
    return resolutions.by_decision(conflict, earlier, decision.choice, story, decision.table)
