"""The result: it counts once confirmed, and undo leads back."""

from dataclasses import replace

import pytest

from services.rules.the_game.options import Options
from services.rules.the_game.results import Result, result
from services.rules.the_game.state import start
from tests.unit.rules.builders import BLOCK, CONFIRM, UNDO, after, last


@pytest.mark.parametrize(
    ("remaining", "expected"),
    [
        (0, Result("win", 0, "perfect")),
        (1, Result("loss", 1, "excellent")),
        (9, Result("loss", 9, "excellent")),
        (10, Result("loss", 10, "counted")),
        (98, Result("loss", 98, "counted")),
    ],
)
def test_the_result_is_the_number_of_cards_not_played(remaining: int, expected: Result) -> None:
    state = replace(
        start(Options(1)), status="finished", hands=(min(remaining, 8),), deck=max(0, remaining - 8)
    )
    assert result(state) == expected


def test_a_block_is_no_result_before_it_is_confirmed() -> None:
    assert result(after(BLOCK).now.state) is None
    assert result(after(BLOCK, CONFIRM).now.state) == Result("loss", 98, "counted")


def test_undo_takes_a_confirmed_result_back() -> None:
    assert result(after(BLOCK, CONFIRM, UNDO).now.state) is None


def test_without_a_result_there_is_nothing_to_confirm() -> None:
    assert last(CONFIRM).refusal == "no_result_to_confirm"
    assert last(BLOCK, CONFIRM, CONFIRM).refusal == "game_over"
