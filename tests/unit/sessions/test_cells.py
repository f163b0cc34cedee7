"""Cells: what a row of the ledger is added to, and numbers packed into one."""

from collections import Counter
from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.cells import (
    ALL_ACCOUNTS,
    ANYONE,
    DIGITS,
    EVER,
    Period,
    difference,
    keys,
    sums,
    unpacked,
)
from services.sessions.domain.durations import Duration
from services.sessions.domain.figures import Finished, LedgerRow, figures

OWNER, ANA, BEN = UUID(int=1), UUID(int=2), UUID(int=3)
SUMMARY = {
    "players": 2,
    "difficulty": "normal",
    "reduced_hand": False,
    "first_seat": 0,
    "outcome": "loss",
    "remaining": 12,
    "rating": "counted",
    "turns": 3,
    "plays_per_turn": [2, 3, 2],
    "back_tens": {"left": 1, "right": 2},
    "largest_jump": None,
    "control": "full",
    "deck": 5,
    "hands": [3, 4],
    "blocked_by": 1,
    "rules_version": "1",
}


def row(at: datetime, *player_ids: UUID, counts_for_all: bool = True, remaining: int = 12) -> LedgerRow:
    told = figures(SUMMARY | {"remaining": remaining})
    assert told is not None
    return LedgerRow(OWNER, UUID(int=9), counts_for_all, 7, at, 600, 0, player_ids, told)


def finished(owner_id: UUID | None, *shared_with: UUID) -> Finished:
    at = datetime(2026, 2, 28, tzinfo=UTC)
    return Finished(UUID(int=9), owner_id, 7, at, Duration(600, 0), (ANA,), figures(SUMMARY), shared_with)


@pytest.mark.parametrize(
    ("game", "rows"),
    [
        (finished(OWNER), [(OWNER, True, (ANA,))]),
        (finished(OWNER, ANA, BEN), [(OWNER, True, (ANA,)), (ANA, False, ()), (BEN, False, ())]),
        (finished(None, BEN, ANA), [(BEN, True, ()), (ANA, False, ())]),
        (finished(None), []),
    ],
)
def test_a_game_counts_for_each_who_has_it_once_for_all_and_players_for_the_owner_alone(
    game: Finished, rows: list[tuple[UUID, bool, tuple[UUID, ...]]]
) -> None:
    assert [(row.account_id, row.counts_for_all, row.player_ids) for row in game.rows()] == rows
    of_all = [key for row in game.rows() for key in keys(row) if key[0] == ALL_ACCOUNTS]
    assert len(of_all) == (len(Period) if rows else 0)


def test_the_figures_are_those_told_with_sums_beside_them() -> None:
    told = figures(SUMMARY)
    assert told is not None
    assert (told["plays"], told["back_tens"], told["back_tens_by_pile"]) == (7, 3, {"left": 1, "right": 2})
    assert {name: told[name] for name in SUMMARY if name != "back_tens"} == {
        name: value for name, value in SUMMARY.items() if name != "back_tens"
    }


@pytest.mark.parametrize("summary", [None, {}, {**SUMMARY, "hands": 1} | {"extra": 1}])
def test_what_is_told_in_part_is_not_told(summary: dict[str, object] | None) -> None:
    assert figures(None if summary is None else {k: v for k, v in summary.items() if k != "hands"}) is None


def test_a_game_is_in_the_cells_of_its_account_of_each_player_and_of_all() -> None:
    found = list(keys(row(datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC), ANA, BEN)))
    assert Counter(key[:2] for key in found) == Counter(
        {(OWNER, ANYONE): 3, (OWNER, ANA): 3, (OWNER, BEN): 3, (ALL_ACCOUNTS, ANYONE): 3}
    )
    assert {key[2:4] for key in found} == {
        (Period.ALL, EVER),
        (Period.MONTH, date(2026, 2, 1)),
        (Period.DAY, date(2026, 2, 28)),
    }
    assert len(set(found)) == len(found)


def test_a_game_shared_with_an_account_is_not_counted_for_all_again() -> None:
    found = keys(row(datetime(2026, 2, 28, tzinfo=UTC), counts_for_all=False))
    assert {key[0] for key in found} == {OWNER}


def test_a_day_is_the_utc_day_whatever_the_clock_shows() -> None:
    at = datetime.fromisoformat("2026-03-01T00:30:00+02:00")
    assert row(at).day == date(2026, 2, 28)


def test_the_same_before_and_after_is_no_difference() -> None:
    there = row(datetime(2026, 2, 28, tzinfo=UTC), ANA)
    assert difference([there], [there]) == {}
    assert difference([], []) == {}


def test_what_goes_takes_away_what_came() -> None:
    there = row(datetime(2026, 2, 28, tzinfo=UTC), ANA)
    came, gone = difference([], [there]), difference([there], [])
    assert came.keys() == gone.keys() == set(keys(there))
    assert all(gone[key] == tuple(-number for number in added) for key, added in came.items())
    assert set(came.values()) == {sums(there)} == {(1, 3, 3, 600)}


@given(st.lists(st.integers(0, 98), max_size=200))
def test_packed_numbers_are_added_up_as_one(values: list[int]) -> None:
    total = sum(10 ** (DIGITS * value) for value in values)
    expected = [values.count(number) for number in range(max(values, default=0) + 1)]
    assert unpacked(str(total)) == expected


def test_a_packed_count_has_room_for_a_hundred_million_games() -> None:
    most = 10**8 - 1
    assert unpacked(str(most + most * 10 ** (DIGITS * 98)))[::98] == [most, most]
