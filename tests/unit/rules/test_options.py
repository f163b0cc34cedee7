"""Options: what a group may agree on, and what follows for hands and turns."""

import pytest

from services.rules.malformed import Malformed
from services.rules.the_game.cards import COUNT
from services.rules.the_game.options import Options, read_options
from services.rules.the_game.state import start


@pytest.mark.parametrize(("players", "hand"), [(1, 8), (2, 7), (3, 6), (4, 6), (5, 6)])
def test_the_hand_depends_on_the_players_and_the_rest_is_the_deck(players: int, hand: int) -> None:
    for reduced in (False, True):
        state = start(Options(players, reduced_hand=reduced))
        assert state.hands == (hand - reduced,) * players
        assert state.deck == COUNT - sum(state.hands)


@pytest.mark.parametrize(("difficulty", "minimum"), [("normal", 2), ("expert", 3)])
def test_the_minimum_is_one_without_a_deck(difficulty: str, minimum: int) -> None:
    options = Options(2, difficulty)
    assert [options.minimum(deck) for deck in (98, 1, 0)] == [minimum, minimum, 1]


def test_options_left_out_have_their_defaults() -> None:
    assert read_options({"players": 3}) == Options(3, "normal", False, 0)


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({}, "players"),
        ({"players": 0}, "players"),
        ({"players": 6}, "players"),
        ({"players": True}, "players"),
        ({"players": "2"}, "players"),
        ({"players": 2.0}, "players"),
        ({"players": 10**400}, "players"),
        ({"players": 2, "difficulty": "hard"}, "difficulty"),
        ({"players": 2, "difficulty": None}, "difficulty"),
        ({"players": 2, "reduced_hand": 1}, "reduced_hand"),
        ({"players": 2, "reduced_hand": "yes"}, "reduced_hand"),
        ({"players": 2, "first_seat": 2}, "first_seat"),
        ({"players": 2, "first_seat": -1}, "first_seat"),
        ({"players": 2, "first_seat": False}, "first_seat"),
        ({"players": 2, "on_fire": True}, "on_fire"),
    ],
)
def test_wrong_options_are_malformed_and_named(value: dict[str, object], wrong: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_options(value)
    assert refused.value.errors["options"].keys() == {wrong}


@pytest.mark.parametrize("value", [None, [], "players", 2])
def test_options_are_an_object(value: object) -> None:
    with pytest.raises(Malformed):
        read_options(value)
