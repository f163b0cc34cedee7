"""Positions in streams, waits between attempts, Redis' clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.bus.backoff import Backoff
from shared.bus.clock import STALE_AFTER_S, RedisClock
from shared.bus.positions import START, Position

NUMBERS = st.integers(0, 2**63 - 1)


@given(NUMBERS, NUMBERS)
def test_a_position_survives_its_text(ms: int, seq: int) -> None:
    position = Position(ms, seq)
    assert Position.parse(str(position)) == position == Position.parse(str(position).encode())
    assert START <= position < position.next


def test_positions_compare_as_numbers_and_not_as_text() -> None:
    assert Position.parse("999-10") < Position.parse("1000-9") < Position.parse("1000-10")
    assert Position.parse(None) == Position.parse("0") == START


def test_waits_double_up_to_their_cap_until_it_works() -> None:
    backoff = Backoff(first_s=0.1, cap_s=1.0)
    assert [round(backoff.next_s(), 3) for _ in range(6)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    backoff.reset()
    assert backoff.next_s() == 0.1


class Answering:
    """A line to a Redis whose clock shows `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds

    def exchange(self, commands: object) -> list[list[bytes]]:
        return [[b"%d" % self.seconds, b"250000"]]


def test_redis_time_goes_on_by_the_own_clock_and_is_measured_again() -> None:
    shown = [100.0]
    clock = RedisClock(monotonic=lambda: shown[0])
    with pytest.raises(RuntimeError, match="measure"):
        clock.now_ms()
    clock.measure(Answering(1_700_000_000))  # type: ignore[arg-type]
    shown[0] += 2.5
    assert clock.now_ms() == 1_700_000_002_750
    assert clock.at_ms(101.0) == 1_700_000_001_250
    assert not clock.is_stale
    shown[0] += STALE_AFTER_S
    assert clock.is_stale
    clock.measure(Answering(1_700_000_500))
    assert clock.now_ms() == 1_700_000_500_250
