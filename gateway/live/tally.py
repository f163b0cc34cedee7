"""Owns the books of reading a stream of Redis: whether every entry that was ever added has been seen."""

from dataclasses import dataclass

from shared.bus.positions import Position


@dataclass(slots=True)
class Tally:
    """`position` is the last entry seen; `added` is how many Redis has added up to there, by its own count.

    A stream that is flushed, restored from an older copy, or trimmed before it was read does not agree.
    """

    position: Position
    added: int

    def see(self, position: Position) -> None:
        """One more entry was read."""
        self.position = position
        self.added += 1

    def agrees(self, last: Position, added: int) -> bool:
        """Whether what was seen is all there was, when everything up to `last` has been read."""
        return self.position == last and self.added == added
