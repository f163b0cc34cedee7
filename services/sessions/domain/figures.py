"""What a finished game counts as: a row of the ledger for each account that counts it.

The figures are those that rules told; sessions knows them by name and judges nothing by them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from services.sessions.domain.durations import Duration

TOLD = (
    "players",
    "difficulty",
    "reduced_hand",
    "first_seat",
    "outcome",
    "remaining",
    "rating",
    "turns",
    "plays_per_turn",
    "largest_jump",
    "control",
    "deck",
    "hands",
    "blocked_by",
    "rules_version",
)
SUMMED_UP = ("plays", "back_tens", "back_tens_by_pile")
FIGURES = TOLD + SUMMED_UP
_NEEDED = frozenset(TOLD) | {"back_tens"}


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that counts, as it is: at `version` its result was confirmed.

    `owner_id` has it, None where that account is deleted; it is `shared_with` others, those first that have
    had it for longest. `player_ids` are the owner's saved players at the table, each once. `figures` is None
    while rules has not told them.
    """

    game_id: UUID
    owner_id: UUID | None
    version: int
    confirmed_at: datetime
    duration: Duration
    player_ids: tuple[UUID, ...]
    figures: Mapping[str, Any] | None
    shared_with: tuple[UUID, ...] = ()

    def rows(self) -> list["LedgerRow"]:
        """The rows of the ledger that it makes: one for each account that has it, the owner's first.

        Players are known to the owner alone; all accounts together count the first row.
        """
        if self.figures is None:
            return []
        whose = ([] if self.owner_id is None else [self.owner_id]) + list(self.shared_with)
        return [
            LedgerRow(
                account_id,
                self.game_id,
                number == 0,
                self.version,
                self.confirmed_at,
                self.duration.played_s,
                self.duration.pauses_s,
                self.player_ids if account_id == self.owner_id else (),
                self.figures,
            )
            for number, account_id in enumerate(whose)
        ]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A row of the ledger: a game as it counts for one account.

    Of the rows of a game one `counts_for_all`: it is what all accounts together count.
    """

    account_id: UUID
    game_id: UUID
    counts_for_all: bool
    version: int
    confirmed_at: datetime
    duration_s: int
    pauses_s: int
    player_ids: tuple[UUID, ...]
    figures: Mapping[str, Any]

    @property
    def day(self) -> date:
        """The UTC day on which the result was confirmed."""
        return self.confirmed_at.astimezone(UTC).date()


def figures(summary: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The figures by their names in the ledger; None where rules has told none, or not all of them."""
    if summary is None or not summary.keys() >= _NEEDED:
        return None
    per_place: Mapping[str, int] = summary["back_tens"]
    return {
        **{name: summary[name] for name in TOLD},
        "plays": sum(summary["plays_per_turn"]),
        "back_tens": sum(per_place.values()),
        "back_tens_by_pile": dict(per_place),
    }
