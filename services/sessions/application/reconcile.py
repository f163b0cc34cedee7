"""Reconciling a branch with the log: an entry says what was proved, or people are asked.

The log is the truth. What is stored of a conflict besides can be made again from it, so this may be done any
number of times, by any number of workers at once, and end anywhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import structlog
from sqlalchemy import Engine

from services.sessions.adapters import conflict_store
from services.sessions.adapters.rules import Rules
from services.sessions.application.examining import examine, overruling, subject
from services.sessions.application.play import Play, Sender, Sent
from services.sessions.domain import resolutions
from services.sessions.domain.branch import MERGED, NEEDS_DECISION, PENDING, Conflict, Examined
from services.sessions.domain.game import Game
from services.sessions.domain.resolutions import Resolution
from shared.web.problems import Problem

ATTEMPTS = 5
OVERDUE = timedelta(seconds=5)
BATCH = 100
WRITTEN = "written"
# What becomes of a conflict that was proved; None: look again.
_AFTER = {
    WRITTEN: MERGED,
    "version_conflict": None,
    "action_id_reused": None,
    "role_insufficient": NEEDS_DECISION,
    "log_full": NEEDS_DECISION,
    "not_found": PENDING,
    "game_in_bin": PENDING,
}
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Subject:
    """A pending conflict with its game, and what the log says about it."""

    conflict: Conflict
    game: Game
    resolutions: list[Resolution]

    @property
    def was_settled(self) -> bool:
        """Whether an entry has settled just this before, whatever became of it."""
        return any(resolution.is_of(self.conflict) for resolution in self.resolutions)


class Reconcile:
    """The job; `reader` is in autocommit mode, `engine` has transactions."""

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        rules: Rules,
        play: Play,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._rules = rules
        self._play = play
        self._now = now

    def sweep(self) -> int:
        """Look at what has been pending for a while, longest first; one that fails stops no other.

        Each is taken before it is looked at, so that it waits its turn again whatever becomes of it, and
        sweeps at the same time take others. Returns how many are pending no more.
        """
        done, before = 0, self._now() - OVERDUE
        for _ in range(BATCH):
            with self._engine.begin() as connection:
                conflict_id = conflict_store.take_pending(connection, before, self._now())
            if conflict_id is None:
                break
            try:
                done += self.run(conflict_id) != PENDING
            except Problem as problem:
                log.warning("reconcile_failed", conflict_id=str(conflict_id), code=problem.code)
        return done

    def run(self, conflict_id: UUID) -> str | None:
        """Settle a pending conflict or open its questions; returns its status, None when it is gone.

        It stays pending while its game lies in the bin, or when others keep moving the game on. Raises
        `Problem` service_unavailable and what rules refuses by name; then nothing was decided.
        """
        for _ in range(ATTEMPTS):
            with self._reader.connect() as connection:
                conflict = conflict_store.load(connection, None, conflict_id)
                about = None if conflict is None else subject(connection, conflict)
            if conflict is None or about is None:
                return None
            if conflict.status != PENDING or about[0].binned_at is not None:
                return conflict.status
            status = self._attempt(_Subject(conflict, *about))
            if status is not None:
                return status
        return PENDING

    def _attempt(self, about: _Subject) -> str | None:
        """One try; None when the game moved on, or the branch grew, meanwhile."""
        conflict, game = about.conflict, about.game
        settled = resolutions.settling(conflict, about.resolutions)
        if settled is not None:
            # The one who wrote it did not live to say so.
            examined = examine(self._reader, self._rules, game, conflict, settled.seq - 1)
            status = resolutions.status_by(settled)
            return status if self._note(conflict, status, examined) else None
        examined = examine(self._reader, self._rules, game, conflict)
        # A proof that somebody took back is theirs to bring back.
        is_to_write = examined.is_settled and not about.was_settled and not self._overrules(conflict)
        after = _AFTER[self._write(conflict, game, examined)] if is_to_write else NEEDS_DECISION
        if after is None or after == PENDING:
            return after
        return after if self._note(conflict, after, examined) else None

    def _write(self, conflict: Conflict, game: Game, examined: Examined) -> str:
        """Put what was proved into the log; returns `WRITTEN` or the code of what prevents it."""
        by = conflict.branch.by
        sender = Sender(conflict.owner_id, by, is_owner=by.account_id == conflict.owner_id)
        sent = Sent(resolutions.by_proof(conflict, examined.found))
        try:
            answer = self._play.record(sender, game.id, [sent], examined.version)
        except Problem as problem:
            if problem.code in _AFTER:
                return problem.code
            raise
        if answer.refusal is None:
            return WRITTEN
        if answer.refusal.code in _AFTER:
            return answer.refusal.code
        raise Problem(answer.refusal.code)

    def _overrules(self, conflict: Conflict) -> bool:
        """Whether another's branch takes back what people decided before it: then the owner is asked."""
        branch = conflict.branch
        if branch.by.account_id == conflict.owner_id:
            return False
        kinds = [action["type"] for action in branch.standing]
        with self._reader.connect() as connection:
            return overruling(connection, conflict.game_id, branch.base_version, kinds) is not None

    def _note(self, conflict: Conflict, status: str, examined: Examined) -> bool:
        with self._engine.begin() as connection:
            return conflict_store.record_found(connection, conflict, status, examined, self._now())
