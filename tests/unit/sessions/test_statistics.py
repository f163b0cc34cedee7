"""Figures of a group of games, against plain recomputations."""

from fractions import Fraction
from math import isclose, sqrt
from statistics import NormalDist, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.questions import Group
from services.sessions.domain.statistics import NUMBERS, QUANTILES, document, mean_interval, quantiles, wilson

reached = st.lists(st.integers(0, NUMBERS - 1), min_size=1, max_size=60)
NOTHING = {"turns": 0, "back_tens": 0, "duration_s": 0}


def counted(values: list[int]) -> list[int]:
    return [values.count(number) for number in range(max(values) + 1)]


@given(reached)
def test_a_quantile_is_the_smallest_value_whose_share_reaches_it(values: list[int]) -> None:
    for name, found in quantiles(counted(values)).items():
        share = Fraction(QUANTILES[name], 100)
        assert found == min(v for v in values if Fraction(sum(x <= v for x in values), len(values)) >= share)


@given(reached)
def test_counts_and_means_are_exact(values: list[int]) -> None:
    sums = {"turns": 3 * len(values), "back_tens": sum(values), "duration_s": 7}
    found = document(Group({}, counted(values), sums))
    assert found["games"] == len(values) == sum(found["histogram"])
    assert found["wins"] == values.count(0)
    assert found["excellent"] == sum(value < 10 for value in values)
    assert found["mean_remaining"] == sum(values) / len(values) == found["back_tens"]
    assert found["win_rate"] == values.count(0) / len(values)
    assert found["excellent_rate"] == found["excellent"] / len(values)
    assert (found["mean_turns"], found["mean_duration_s"]) == (3.0, 7 / len(values))
    assert found["histogram"] == [values.count(number) for number in range(99)]


@given(st.lists(st.integers(0, NUMBERS - 1), min_size=2, max_size=60))
def test_the_interval_of_a_mean_is_the_normal_one_and_not_below_nothing(values: list[int]) -> None:
    mean, half = sum(values) / len(values), NormalDist().inv_cdf(0.975) * stdev(values) / sqrt(len(values))
    found = mean_interval(len(values), sum(values), sum(value * value for value in values))
    assert found is not None
    assert isclose(found[0], max(0, mean - half), abs_tol=1e-9)
    assert isclose(found[1], mean + half, abs_tol=1e-9)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0),
     (81, 263, 0.2553, 0.3662)],
)  # fmt: skip
def test_the_interval_of_a_rate_is_wilson_s(successes: int, trials: int, low: float, high: float) -> None:
    """The figures of Newcombe (1998), table I, and of Agresti and Coull, to four places."""
    found = wilson(successes, trials)
    assert found is not None
    assert [round(end, 4) for end in found] == [low, high]


@given(st.integers(1, 10**6), st.data())
def test_the_interval_of_a_rate_holds_the_rate_and_stays_within_all_and_nothing(
    trials: int, data: st.DataObject
) -> None:
    successes = data.draw(st.integers(0, trials))
    found = wilson(successes, trials)
    assert found is not None
    assert 0 <= found[0] <= successes / trials <= found[1] <= 1
    assert found[0] < found[1]


def test_no_games_are_zeros_and_nulls() -> None:
    for group in (Group({}, [], {}), Group({}, [0, 0], NOTHING)):
        found = document(group)
        assert found.pop("histogram") == [0] * 99
        assert found.pop("quantiles") == dict.fromkeys(("q05", "q25", "q50", "q75", "q95"))
        zeros = {name for name, value in found.items() if value == 0}
        assert zeros == {"games", "wins", "excellent"}
        assert all(value is None for name, value in found.items() if name not in zeros)


def test_one_game_has_a_mean_and_no_interval_of_it() -> None:
    found = document(Group({}, [0, 0, 1], {"turns": 40, "back_tens": 2, "duration_s": 900}))
    assert (found["mean_remaining"], found["mean_remaining_interval"]) == (2.0, None)
    assert found["quantiles"] == dict.fromkeys(QUANTILES, 2)
