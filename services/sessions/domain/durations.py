"""How long a game took, by the times of its entries."""

from collections.abc import Iterable
from dataclasses import dataclass

SECOND_US = 1_000_000
PAUSE_US = 30 * 60 * SECOND_US


@dataclass(frozen=True, slots=True)
class Duration:
    """Whole seconds: `played_s` at the table, `pauses_s` in pauses of over 30 minutes."""

    played_s: int
    pauses_s: int


def duration(times_us: Iterable[int]) -> Duration:
    """From the first to the last of the times of a log's entries, in order, microseconds.

    Clocks of several devices differ: an entry is never earlier than the one before it.
    """
    played = pauses = 0
    latest: int | None = None
    for time in times_us:
        gap = 0 if latest is None else max(0, time - latest)
        latest = time if latest is None else latest + gap
        if gap > PAUSE_US:
            pauses += gap
        else:
            played += gap
    return Duration(played // SECOND_US, pauses // SECOND_US)
