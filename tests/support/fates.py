"""Owns what a bad network does to what it carries, decided by chance and so by its seed."""

import random
from dataclasses import dataclass
from enum import Enum


class Fate(Enum):
    """What becomes of one request; whoever hears nothing finds the connection cut."""

    ARRIVES = "arrives and is answered"
    LOST = "never arrives"
    UNANSWERED = "arrives, and its answer is lost"
    DOUBLED = "arrives twice at once and is answered with either"
    HELD = "arrives after what others sent later"
    GIVEN_UP = "its sender hears nothing, and it arrives later"
    REPEATED = "arrives and is answered, and arrives once more later"


_WEIGHTS = {
    Fate.ARRIVES: 40,
    Fate.LOST: 8,
    Fate.UNANSWERED: 12,
    Fate.DOUBLED: 12,
    Fate.HELD: 12,
    Fate.GIVEN_UP: 8,
    Fate.REPEATED: 8,
}
_BYTES_UNTIL_CUT = 60_000  # on average; an entry with its table takes one to two thousand
_LONGEST_PAUSE_S = 0.03


def fate(chance: random.Random) -> Fate:
    """What becomes of the next request."""
    return chance.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]


@dataclass(slots=True)
class StreamFate:
    """How one stream passes: in pieces and with pauses, up to `bytes_left`, where it is cut."""

    chance: random.Random
    bytes_left: int

    def pieces(self, data: bytes) -> list[tuple[float, bytes]]:
        """(pause before it in seconds, piece) of what still passes of `data`."""
        passing, self.bytes_left = data[: self.bytes_left], self.bytes_left - len(data)
        found = []
        while passing:
            size = self.chance.randint(1, 2 * len(passing))
            pause_s = self.chance.uniform(0, _LONGEST_PAUSE_S) if self.chance.random() < 0.2 else 0.0
            found.append((pause_s, passing[:size]))
            passing = passing[size:]
        return found

    @property
    def is_over(self) -> bool:
        return self.bytes_left <= 0


def stream_fate(chance: random.Random) -> StreamFate:
    """How the next stream passes; one in ten does not even begin."""
    begins = chance.random() < 0.9
    return StreamFate(chance, int(chance.expovariate(1 / _BYTES_UNTIL_CUT)) if begins else 0)
