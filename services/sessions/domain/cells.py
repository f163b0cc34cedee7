"""The cells that questions about many games are answered from: sums over the ledger, by what can be asked.

The nil UUID stands for all accounts together, and for whatever player; a cell of one player has the games at
whose table they sat. How many games of a cell reached which number is kept packed into one number, which is
added up like any other.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum
from operator import add, neg
from struct import unpack
from typing import Any
from uuid import UUID

from services.sessions.domain.figures import LedgerRow

ALL_ACCOUNTS = ANYONE = UUID(int=0)
EVER = date.min
OPTIONS = ("players", "difficulty", "reduced_hand")
REACHED = "remaining"
KEY = ("account_id", "player_id", "period", "starts", *OPTIONS, REACHED)
FIGURES_SUMMED = ("turns", "back_tens")
SUMMED = ("games", *FIGURES_SUMMED, "duration_s")
DIGITS = 8  # of the packed number, for each number that can be reached: up to 99,999,999 games

Key = tuple[Any, ...]  # by `KEY`
Sums = tuple[int, ...]  # by `SUMMED`


class Period(StrEnum):
    """What lengths of time there are sums for."""

    ALL = "all"
    MONTH = "month"
    DAY = "day"


def keys(row: LedgerRow) -> Iterator[Key]:
    """The cells that a row of the ledger is in, each with the number that it reached."""
    day = row.day
    periods = ((Period.ALL, EVER), (Period.MONTH, day.replace(day=1)), (Period.DAY, day))
    whose = [(row.account_id, player_id) for player_id in (ANYONE, *row.player_ids)]
    if row.counts_for_all:
        whose.append((ALL_ACCOUNTS, ANYONE))
    figures = [row.figures[name] for name in (*OPTIONS, REACHED)]
    for account_id, player_id in whose:
        for period, starts in periods:
            yield (account_id, player_id, period.value, starts, *figures)


def sums(row: LedgerRow) -> Sums:
    """What a row of the ledger adds to each of its cells: one game, and its figures."""
    return (1, *(row.figures[name] for name in FIGURES_SUMMED), row.duration_s)


def difference(before: Iterable[LedgerRow], after: Iterable[LedgerRow]) -> dict[Key, Sums]:
    """What is to be added where when these rows of the ledger become those, in the order of the keys."""
    found: dict[Key, Sums] = {}
    changes = [(row, tuple(map(neg, sums(row)))) for row in before] + [(row, sums(row)) for row in after]
    for row, added in changes:
        for key in keys(row):
            there = found.get(key)
            found[key] = added if there is None else tuple(map(add, there, added))
    return {key: found[key] for key in sorted(found) if any(found[key])}


def unpacked(digits: str) -> list[int]:
    """How many games reached 0, 1, 2 … of the packed number with these digits, up to the highest reached."""
    numbers = -(-len(digits) // DIGITS)
    aligned = digits.zfill(numbers * DIGITS).encode()
    return [*map(int, unpack(f"{DIGITS}s" * numbers, aligned))][::-1]
