"""How long a game took: gaps added up, pauses apart."""

from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.durations import PAUSE_US, Duration, duration

SECOND = 1_000_000
MINUTE = 60 * SECOND


def test_a_game_takes_from_its_first_entry_to_its_last() -> None:
    assert duration([0, 5 * MINUTE, 12 * MINUTE]) == Duration(12 * 60, 0)


def test_a_pause_of_over_thirty_minutes_is_left_out_and_told() -> None:
    assert duration([0, MINUTE, MINUTE + PAUSE_US + SECOND, 3 * MINUTE + PAUSE_US + SECOND]) == Duration(
        180, 30 * 60 + 1
    )


def test_a_break_of_thirty_minutes_is_no_pause() -> None:
    assert duration([0, PAUSE_US]) == Duration(30 * 60, 0)


def test_nothing_and_one_entry_take_no_time() -> None:
    assert duration([]) == duration([1_700_000_000_000_000]) == Duration(0, 0)


def test_what_is_below_a_second_is_left_out_once_and_not_per_entry() -> None:
    assert duration([0, 600_000, 1_200_000, 1_999_999]) == Duration(1, 0)


def test_a_clock_that_goes_back_takes_no_time_and_gives_none() -> None:
    assert duration([0, 10 * MINUTE, 4 * MINUTE, 11 * MINUTE]) == Duration(11 * 60, 0)


@given(st.lists(st.integers(0, 10**11), min_size=1))
def test_played_and_paused_are_all_there_is(times_us: list[int]) -> None:
    found = duration(times_us)
    whole_s = (max(times_us) - times_us[0]) / SECOND
    assert 0 <= whole_s - found.played_s - found.pauses_s < 2
