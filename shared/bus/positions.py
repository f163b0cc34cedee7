"""Owns places in a stream: Redis' entry ids as values that compare."""

from typing import NamedTuple, Self


class Position(NamedTuple):
    """The id of a stream entry: milliseconds by Redis' clock and a number within them."""

    ms: int
    seq: int

    @classmethod
    def parse(cls, text: str | bytes | None) -> Self:
        """From Redis' form `ms-seq`; nothing at all is the start, 0-0."""
        if not text:
            return cls(0, 0)
        ms, _, seq = (text.decode() if isinstance(text, bytes) else text).partition("-")
        return cls(int(ms), int(seq or 0))

    @property
    def next(self) -> "Position":
        """The lowest position behind this one."""
        return Position(self.ms, self.seq + 1)

    def __str__(self) -> str:
        return f"{self.ms}-{self.seq}"


START = Position(0, 0)
