"""How long a call is repeated."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.client import Patience

SECONDS = st.floats(min_value=0, max_value=1000)


def test_pauses_double_up_to_the_longest() -> None:
    patience = Patience(first_pause_s=1, longest_pause_s=4)
    assert [patience.pause_s(attempt, 0, 100) for attempt in (1, 2, 3, 4, 5)] == [1, 2, 4, 4, 4]


def test_the_pause_asked_for_is_kept() -> None:
    assert Patience().pause_s(1, 0, 100, asked_s=7) == 7


@given(attempt=st.integers(1, 10**6), elapsed_s=SECONDS, limit_s=SECONDS, asked_s=st.none() | SECONDS)
def test_no_pause_ends_after_the_limit(
    attempt: int, elapsed_s: float, limit_s: float, asked_s: float | None
) -> None:
    pause_s = Patience().pause_s(attempt, elapsed_s, limit_s, asked_s)
    assert pause_s is None or elapsed_s + pause_s <= limit_s
