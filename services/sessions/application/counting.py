"""Counting finished games: the ledger and the cells are made to say what the games say.

What is due is only a hint at where to look; what counts is always read from the games. So this may be done
any number of times, in any order, by any number of workers at once, and end anywhere.
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy import Connection, Engine, text

from services.sessions.adapters import cell_store, due_store, game_store, ledger_store, log_store
from services.sessions.adapters.rules import Away, Refused, Rules
from services.sessions.domain import cells

BATCH = 100
SWEEP_S = 20.0
STUCK_LIMIT = 1_000  # so many games without figures are passed over, then somebody has to look
log = structlog.get_logger(__name__)

# Summing up many games takes longer than a statement of the web may, and so does waiting for it.
_PATIENTLY = text("SET LOCAL statement_timeout = '4min'")
_HOLD = text("SELECT pg_advisory_xact_lock(hashtextextended('results', 0))")


@dataclass(frozen=True, slots=True)
class Done:
    """What became of some games: how many rows of the ledger are others now, and which games lack figures."""

    changed: int
    untold: frozenset[UUID]


class Counting:
    """The job; `reader` is in autocommit mode, `engine` has transactions."""

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        rules: Rules,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._rules = rules
        self._clock = clock

    def sweep(self, within_s: float = SWEEP_S) -> int:
        """Count what is due until nothing is or the time is over; returns how many games were looked at.

        A game whose figures rules does not tell stops no other; it stays due.
        """
        until, looked_at = self._clock() + within_s, 0
        stuck: set[UUID] = set()
        while self._clock() < until and len(stuck) < STUCK_LIMIT:
            with self._reader.connect() as connection:
                due = due_store.oldest(connection, BATCH, stuck)
            if not due:
                break
            stuck |= self.run(due).untold
            looked_at += len(due)
        if stuck:
            log.warning("results_untold", games=len(stuck))
        return looked_at

    def run(self, game_ids: Sequence[UUID]) -> Done:
        """Count these games, `BATCH` at most, and settle what is due of them; nothing where none is due."""
        with self._reader.connect() as connection:
            due = set(due_store.noted(connection, game_ids).values())
        if not due:
            return Done(0, frozenset())
        self._ask(game_ids)
        with self._engine.begin() as connection:
            hold(connection)
            notes = due_store.noted(connection, game_ids)
            done = count(connection, game_ids)
            due_store.forget(connection, [note for note, game in notes.items() if game not in done.untold])
        return done

    def look_at(self, game_ids: Sequence[UUID]) -> Done:
        """Count these games whether they are due or not, and leave what is due."""
        self._ask(game_ids)
        with self._engine.begin() as connection:
            hold(connection)
            return count(connection, game_ids)

    def _ask(self, game_ids: Collection[UUID]) -> None:
        """Have rules tell the figures of games that finished before it told them by itself.

        No lock is held meanwhile, and what it does not tell now is asked for again.
        """
        with self._reader.connect() as connection:
            untold = ledger_store.untold(connection, list(game_ids))
        for game_id, owner_id in untold.items():
            with self._reader.connect() as connection:
                loaded = game_store.load(connection, game_id, owner_id)
                if loaded is None:
                    continue
                game = loaded.game
                actions = log_store.log_actions(connection, game_id, game.head.version)
            try:
                summary = self._rules.fold(game, actions).summary
            except Refused as error:
                log.warning("summary_refused", game_id=str(game_id), code=error.code)
                continue
            except Away:
                return
            if summary is not None:
                with self._reader.connect() as connection:
                    ledger_store.tell(connection, game, summary)


def hold(connection: Connection) -> None:
    """Be the only one who counts, until the transaction ends; take this before reading what is counted."""
    be_patient(connection)
    connection.execute(_HOLD)


def be_patient(connection: Connection) -> None:
    """Let the statements of this transaction take as long as summing up may."""
    connection.execute(_PATIENTLY)


def count(connection: Connection, game_ids: Sequence[UUID]) -> Done:
    """Make ledger and cells say what these games say; the transaction holds the counting."""
    found = ledger_store.finished(connection, game_ids)
    untold = frozenset(game.game_id for game in found if game.figures is None)
    before = [row for row in ledger_store.rows_of(connection, game_ids) if row.game_id not in untold]
    after = [row for game in found for row in game.rows()]
    cell_store.add(connection, cells.difference(before, after))
    # Also where only a name is another one.
    cell_store.mark(connection, {row.account_id for row in (*before, *after)})
    return Done(ledger_store.replace(connection, before, after), untold)
