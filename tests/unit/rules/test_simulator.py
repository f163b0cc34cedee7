"""Simulated games: the published strategy, 500 a row, against an independent program, and what each does."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.the_game.actions import read_actions
from services.rules.the_game.judgement import judge
from services.rules.the_game.log import replay
from services.rules.the_game.options import Options
from services.rules.the_game.piles import topped
from services.rules.the_game.simulation.simulator import simulate
from services.rules.the_game.simulation.strategies import STRATEGIES, Move
from services.rules.the_game.state import State, start
from tests.support.figures import PUBLISHED, PUBLISHED_STRATEGY, Row, figures, share_error
from tests.unit.rules.builders import OPTIONS, TWO, simulated

GAMES = 500
ERRORS = 4
ALL_STRATEGIES = pytest.mark.parametrize("strategy", list(STRATEGIES))


def following(
    strategy: str, *hand: int, tops: tuple[int, ...] = (1, 1, 100, 100), laid: int = 0
) -> Move | None:
    """What a strategy does with a hand."""
    state: State = replace(start(TWO), piles=tuple(map(topped, tops)), laid=laid)
    return STRATEGIES[strategy].next(state, sum(1 << card for card in hand), Random(98))


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name.replace(" ", "-")) for row in PUBLISHED])
def test_the_strategy_leaves_as_many_cards_as_published(row: Row) -> None:
    played = simulate(row.options, STRATEGIES[PUBLISHED_STRATEGY], GAMES, seed=f"98 {row.name}")
    seen = figures(played)
    assert abs(seen.mean - row.mean) <= ERRORS * seen.mean_error
    if row.below_ten is not None:
        assert abs(seen.below_ten - row.below_ten) <= ERRORS * share_error(row.below_ten, GAMES)


@ALL_STRATEGIES
def test_the_same_seed_plays_the_same_games(strategy: str) -> None:
    options, chosen = PUBLISHED[1].options, STRATEGIES[strategy]
    games = simulate(options, chosen, 20, "seed")
    assert games == simulate(options, chosen, 20, "seed") != simulate(options, chosen, 20, "other")
    assert games[:5] == simulate(options, chosen, 5, "seed")


@given(OPTIONS, st.integers(0, 2**32), st.sampled_from(list(STRATEGIES)))
def test_a_simulated_game_is_one_that_a_table_may_play(options: Options, seed: int, strategy: str) -> None:
    timeline = replay(options, [])
    for action in read_actions(simulated(options, seed, strategy)):
        timeline, outcome = judge(options, timeline, action)
        assert outcome.refusal is None
        assert outcome.warnings == []
    assert timeline.now.state.status == "finished"


@pytest.mark.parametrize("strategy", ["least_step", "minimum_only"])
def test_the_least_step_is_laid_a_step_back_first_and_of_equal_ones_the_lower_card(strategy: str) -> None:
    assert following(strategy, 20, 5, 90) == (0, 5)
    assert following(strategy, 3, 98) == (0, 3)
    assert following(strategy, 31, 20, tops=(30, 1, 100, 100)) == (0, 20)
    assert following(strategy, 31, 40, tops=(25, 50, 100, 30)) == (1, 40)
    assert following(strategy, 2, tops=(30, 40, 2, 2)) is None


def test_beyond_the_minimum_only_the_least_step_goes_on_and_by_three_at_most() -> None:
    assert following("least_step", 4, 60, laid=2) == (0, 4)
    assert following("least_step", 5, 60, laid=2) is None
    assert following("minimum_only", 4, laid=2) is None
    assert following("random", 4, laid=2) is None


def test_at_random_any_card_goes_on_any_pile_that_takes_it() -> None:
    chance, state = Random(98), replace(start(TWO), piles=tuple(map(topped, (30, 1, 40, 100))))
    found = {STRATEGIES["random"].next(state, 1 << 20 | 1 << 35, chance) for _ in range(200)}
    assert found == {(0, 20), (1, 20), (2, 20), (3, 20), (0, 35), (1, 35), (2, 35), (3, 35)}
    assert following("random", 2, tops=(30, 40, 2, 2)) is None
