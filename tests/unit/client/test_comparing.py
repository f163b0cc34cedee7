"""What a strategy would have come to in the same games, weighed by how many of each kind there were."""

from typing import Any

import pytest

from gateway.client.comparing import Expected, apart, expected
from tests.unit.client.figures import group, row


def of(players: int, games: int, **keys: Any) -> Any:
    return group((5,) * games, players=players, difficulty="normal", reduced_hand=False, **keys)


def test_games_of_several_kinds_are_weighed_by_their_number() -> None:
    groups = [of(1, 3), of(2, 1)]
    rows = [row(1, win_rate=0.0, mean_remaining=20.0), row(2, win_rate=0.4, mean_remaining=12.0)]
    assert expected((), groups, rows) == {(): Expected(pytest.approx(0.1), 0.45, pytest.approx(18.0))}


def test_each_group_is_compared_with_its_own_games() -> None:
    groups = [of(1, 3, month="2026-05"), of(2, 3, month="2026-05"), of(2, 1, month="2026-06")]
    rows = [row(1, win_rate=0.0), row(2, win_rate=0.4)]
    found = expected(("month",), groups, rows)
    assert {key: one.win_rate for key, one in found.items()} == {
        ("2026-05",): pytest.approx(0.2),
        ("2026-06",): pytest.approx(0.4),
    }


def test_players_are_told_apart_by_id_and_not_by_name() -> None:
    groups = [of(2, 1, player_id="a", name="Ana"), of(2, 1, player_id="b", name="Ana")]
    assert list(expected(("player",), groups, [row(2)])) == [("a",), ("b",)]


def test_where_a_kind_of_game_has_no_row_nothing_is_said() -> None:
    assert expected((), [of(1, 3), of(5, 1)], [row(1)]) == {}
    assert expected((), [], [row(1)]) == {}


def test_only_what_lies_outside_the_interval_is_apart() -> None:
    assert [apart([0.2, 0.4], value) for value in (0.1, 0.2, 0.3, 0.4, 0.5)] == [1, 0, 0, 0, -1]
    assert apart(None, 0.3) == 0


def test_of_few_games_no_mean_is_apart() -> None:
    assert apart([20.0, 20.0], 15.0, 2) == apart([20.0, 20.0], 15.0, 29) == 0
    assert apart([20.0, 20.0], 15.0, 30) == 1
