"""Making ledger and cells anew from the games, account by account, while everything else goes on."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy import Engine

from services.sessions.adapters import cell_store, ledger_store
from services.sessions.application.counting import BATCH, Counting, be_patient, hold
from services.sessions.domain.cells import ALL_ACCOUNTS

FIRST = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is; `changed` rows of the ledger were wrong or due, `untold` games lack their figures."""

    accounts: int
    of_accounts: int
    games: int = 0
    changed: int = 0
    untold: int = 0


class Rebuild:
    """The command; `counting` counts on the same database as `engine`."""

    def __init__(self, engine: Engine, counting: Counting) -> None:
        self._engine = engine
        self._counting = counting

    def run(self, tell: Callable[[Progress], None]) -> Progress:
        """Look at every game, and sum all accounts up anew; `tell` hears of each account.

        The counting is held by a hundred games, and to sum an account up. Safe to run again.
        """
        with self._engine.begin() as connection:
            be_patient(connection)
            accounts = ledger_store.accounts(connection)
        progress = Progress(0, len(accounts))
        for account_id in accounts:
            progress = self._look_at_games(account_id, progress)
            self._refill(account_id)
            progress = replace(progress, accounts=progress.accounts + 1)
            tell(progress)
        self._refill(ALL_ACCOUNTS)
        return progress

    def _look_at_games(self, account_id: UUID, progress: Progress) -> Progress:
        after = FIRST
        while True:
            with self._engine.begin() as connection:
                be_patient(connection)
                game_ids = ledger_store.games_of(connection, account_id, after, BATCH)
            if not game_ids:
                return progress
            done = self._counting.look_at(game_ids)
            progress = replace(
                progress,
                games=progress.games + len(game_ids),
                changed=progress.changed + done.changed,
                untold=progress.untold + len(done.untold),
            )
            after = game_ids[-1]

    def _refill(self, account_id: UUID) -> None:
        with self._engine.begin() as connection:
            hold(connection)
            cell_store.refill(connection, account_id)
