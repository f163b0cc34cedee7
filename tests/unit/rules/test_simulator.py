"""Games played by the published strategy, 500 a row, against the figures of an independent program."""

import pytest

from tests.support.figures import PUBLISHED, Row, figures, share_error
from tests.support.simulator import simulate

GAMES = 500
ERRORS = 4


@pytest.mark.parametrize("row", [pytest.param(row, id=row.name.replace(" ", "-")) for row in PUBLISHED])
def test_the_strategy_leaves_as_many_cards_as_published(row: Row) -> None:
    seen = figures(simulate(row.options, GAMES, seed=f"98 {row.name}"))
    assert abs(seen.mean - row.mean) <= ERRORS * seen.mean_error
    if row.below_ten is not None:
        assert abs(seen.below_ten - row.below_ten) <= ERRORS * share_error(row.below_ten, GAMES)


def test_the_same_seed_plays_the_same_games() -> None:
    options = PUBLISHED[1].options
    assert simulate(options, 20, "seed") == simulate(options, 20, "seed") != simulate(options, 20, "other")
