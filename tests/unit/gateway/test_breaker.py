"""The breaker opens after failures in a row and finds a service that is back."""

from gateway.breaker import FAILURES, PAUSE_S, TRIAL_BUDGET_S, Breaker
from tests.unit.gateway.clock import Clock


def opened(clock: Clock) -> Breaker:
    breaker = Breaker(clock=clock)
    for _ in range(FAILURES):
        assert breaker.admit(10) == 10
        breaker.failed()
    return breaker


def test_it_opens_after_failures_in_a_row() -> None:
    assert opened(Clock()).admit(10) == 0


def test_one_success_in_between_keeps_it_closed() -> None:
    breaker = Breaker(clock=Clock())
    for _ in range(10):
        for _ in range(FAILURES - 1):
            breaker.failed()
        breaker.succeeded()
    assert breaker.admit(10) == 10


def test_after_a_pause_one_trial_is_let_through_with_little_time() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.advance(PAUSE_S)
    assert breaker.admit(10) == TRIAL_BUDGET_S
    assert breaker.admit(10) == 0


def test_a_trial_that_succeeds_closes_it() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.advance(PAUSE_S)
    breaker.admit(10)
    breaker.succeeded()
    assert [breaker.admit(10) for _ in range(3)] == [10] * 3


def test_a_trial_that_fails_starts_the_pause_again() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.advance(PAUSE_S)
    breaker.admit(10)
    clock.advance(PAUSE_S * 0.9)
    breaker.failed()
    clock.advance(PAUSE_S * 0.9)
    assert breaker.admit(10) == 0


def test_a_trial_that_hangs_does_not_hold_up_the_next() -> None:
    clock = Clock()
    breaker = opened(clock)
    for _ in range(3):
        clock.advance(PAUSE_S)
        assert breaker.admit(1) == 1
