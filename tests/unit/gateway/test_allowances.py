"""Allowances let a burst through, then a steady rate, and say how long to wait."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import allowances
from gateway.allowances import Allowances, Rate
from tests.unit.gateway.clock import Clock


def taken(found: Allowances, times: int, key: str = "a") -> int:
    return sum(found.take(key) == 0 for _ in range(times))


def test_a_burst_passes_at_once_and_not_one_more() -> None:
    assert taken(Allowances(Rate(300, 1000), Clock()), 1100) == 1000


def test_what_was_used_comes_back_at_the_rate() -> None:
    clock = Clock()
    found = Allowances(Rate(50, 200), clock)
    taken(found, 200)
    clock.advance(1)
    assert taken(found, 100) == 50
    clock.advance(60)
    assert taken(found, 300) == 200


def test_looking_how_long_the_wait_is_takes_nothing() -> None:
    clock = Clock()
    found = Allowances(Rate(0.5, 2), clock)
    assert [found.wait_s("a") for _ in range(5)] == [0] * 5
    assert taken(found, 5) == 2
    assert found.wait_s("a") == found.take("a") == 2
    clock.advance(2)
    assert found.wait_s("a") == 0


def test_keys_do_not_share() -> None:
    found = Allowances(Rate(1, 2), Clock())
    assert taken(found, 5, "a") == taken(found, 5, "b") == 2


@given(
    per_s=st.floats(0.1, 500),
    burst=st.integers(1, 1000),
    pauses=st.lists(st.floats(0, 5), max_size=60),
)
def test_no_stretch_of_time_lets_more_through_than_burst_and_rate(
    per_s: float, burst: int, pauses: list[float]
) -> None:
    clock = Clock()
    found = Allowances(Rate(per_s, burst), clock)
    passed: list[float] = []
    for pause in pauses:
        clock.advance(pause)
        passed += [clock()] * taken(found, 3)
    for start in range(len(passed)):
        for end in range(start, len(passed)):
            assert end - start + 1 <= burst + per_s * (passed[end] - passed[start]) + 1e-6


@given(per_s=st.floats(0.1, 500), burst=st.integers(1, 50), pause=st.floats(0, 1))
def test_who_waits_as_told_gets_through_and_not_before(per_s: float, burst: int, pause: float) -> None:
    clock = Clock()
    found = Allowances(Rate(per_s, burst), clock)
    taken(found, burst)
    clock.advance(pause / per_s * 0.9)
    wait_s = found.take("a")
    assert 0 < wait_s <= 1 / per_s + 1e-9
    clock.advance(wait_s * 0.99)
    assert found.take("a") > 0
    clock.advance(wait_s * 0.02)
    assert found.take("a") == 0


def test_keys_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowances, "KEYS_LIMIT", 100)
    clock = Clock()
    found = Allowances(Rate(1, 2), clock)
    for number in range(1000):
        found.take(str(number))
        clock.advance(0.001)
    assert len(found._full_at) <= 100
    assert taken(found, 3, "999") == 1
