"""How long a call is repeated, and after which pause a listener returns: arithmetic, no clock of its own."""

from dataclasses import dataclass

FIRST_RETURN_S = 1.0
SHORTEST_RETURN_S = 0.01
LONGEST_RETURN_S = 15.0


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits of repeating one call, all in seconds.

    `lost_s`: from the first attempt to the last, after lost connections and answers that ask to come back.
    `unreachable_s`: the same where no gateway was met yet, short because the address may be wrong.
    """

    lost_s: float = 15.0
    unreachable_s: float = 2.0
    first_pause_s: float = 0.05
    longest_pause_s: float = 2.0

    def pause_s(
        self, attempt: int, elapsed_s: float, limit_s: float, asked_s: float | None = None
    ) -> float | None:
        """Seconds to wait after failed attempt number `attempt` (from 1), or None to give up.

        `asked_s` is what `Retry-After` said; pauses double otherwise. A pause that would end after
        `limit_s` is not begun.
        """
        doubled = min(self.first_pause_s * 2.0 ** min(attempt - 1, 16), self.longest_pause_s)
        pause = doubled if asked_s is None else asked_s
        return pause if elapsed_s + pause <= limit_s else None


NO_PATIENCE = Patience(lost_s=-1.0, unreachable_s=-1.0)
"""Every failure is told at once."""


def return_pause_s(attempt: int, first_s: float, chance: float) -> float:
    """Seconds before a lost listener's attempt number `attempt` (from 1): doubling, to `LONGEST_RETURN_S`.

    `chance` (0 to 1) shortens it by up to half, so that listeners lost together do not return together.
    """
    return min(first_s * 2.0 ** min(attempt - 1, 16), LONGEST_RETURN_S) * (1 - chance / 2)
