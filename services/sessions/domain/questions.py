"""What can be asked of many games at once: grouped by what, of which of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from services.sessions.domain.cells import OPTIONS
from services.sessions.domain.periods import Span, spans

MONTH, PLAYER = "month", "player"
GROUPINGS = (*OPTIONS, MONTH, PLAYER)


@dataclass(frozen=True, slots=True)
class Question:
    """Grouped `by` some of `GROUPINGS`; of the UTC days from `first` to `last`, both included, None: no end.

    `options` are some of those of the games, each with the value that it must have. With `player_id`, of the
    games at whose table that saved player sat; grouped by player that is the one there is.
    """

    by: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None
    options: tuple[tuple[str, Any], ...] = ()
    player_id: UUID | None = None

    @property
    def spans(self) -> list[Span]:
        """The sums that answer it."""
        return spans(self.first, self.last, by_month=MONTH in self.by)


@dataclass(frozen=True, slots=True)
class Group:
    """The games that are alike in what was grouped by: how many reached 0, 1, 2 …, and sums over them.

    `keys` has a value for each grouping: the month by its first day and the player by id, as text. `sums`
    are over all of the games, by name.
    """

    keys: Mapping[str, Any]
    counts: Sequence[int]
    sums: Mapping[str, int]
