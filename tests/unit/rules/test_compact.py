"""The compact state: what is no state that was answered is malformed, never an exception of another kind."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.malformed import Malformed
from services.rules.the_game.compact import decode, encode
from services.rules.the_game.options import Options
from services.rules.the_game.state import State
from tests.unit.rules.builders import ODD_JSON, TWO, after, lay

STATE = encode(after(lay("up1", 97), lay("up1", confirmed=True), lay("up2", 98)).now.state)


def test_an_unknown_top_keeps_its_possibilities() -> None:
    restored = decode(TWO, json.loads(json.dumps(STATE)))
    assert restored.piles[0].top is None
    assert restored.piles[0].possible == 1 << 99 | 1 << 87


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, 4),
        (0, "playing"),
        (1, True),
        (2, -1),
        (3, 2),
        (4, [7]),
        (4, [7, 8]),
        (4, "77"),
        (5, 99),
        (5, 98),
        (6, None),
        (7, 9),
        (8, 5),
        (8, "xyz"),
        (8, "3"),
        (8, "f" * 26),
        (9, [1, 1, 100]),
        (9, [0, 1, 100, 100]),
        (9, [None, 1, 100, 100]),
    ],
)
def test_a_value_that_cannot_be_is_malformed(place: int, value: Any) -> None:
    with pytest.raises(Malformed):
        decode(TWO, [*STATE[:place], value, *STATE[place + 1 :]])


def test_a_state_of_other_options_is_malformed() -> None:
    with pytest.raises(Malformed):
        decode(Options(3), STATE)


@given(ODD_JSON | st.lists(ODD_JSON, min_size=10, max_size=10))
def test_any_json_is_a_state_or_malformed(value: Any) -> None:
    with contextlib.suppress(Malformed):
        assert isinstance(decode(TWO, value), State)
