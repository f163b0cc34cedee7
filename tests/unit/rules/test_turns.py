"""Turns: the draw, the minimum that is fixed when a turn starts, and the rotation without empty hands."""

from dataclasses import replace
from typing import Any

import pytest

from services.rules.the_game.actions import Action
from services.rules.the_game.options import Options
from services.rules.the_game.state import State, start
from services.rules.the_game.turns import draw, end, refuse_draw, refuse_end, to_draw
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, Json, after, last, lay, table_of

THREE = Options(players=3)
PLAYED = [lay("up1", 2), lay("up1", 3)]
ANY = Action("end_turn")


def late(hands: tuple[int, ...], deck: int = 0, **fields: Any) -> State:
    """A table of three near the end, its minimum played."""
    return replace(start(THREE), hands=hands, deck=deck, minimum=1, laid=1, **fields)


def test_a_turn_ends_after_minimum_and_draw_in_clockwise_order() -> None:
    seen = table_of(after(*PLAYED, DRAW, END))
    assert (seen["turn"], seen["active_seat"], seen["played_this_turn"], seen["phase"]) == (2, 1, 0, "play")


@pytest.mark.parametrize(
    ("before", "action", "refusal"),
    [
        ([], DRAW, "minimum_not_played"),
        (PLAYED[:1], DRAW, "minimum_not_played"),
        ([*PLAYED, DRAW], DRAW, "already_drawn"),
        ([], END, "minimum_not_played"),
        (PLAYED, END, "draw_required"),
        ([BLOCK], DRAW, "result_pending"),
        ([BLOCK], END, "result_pending"),
        ([BLOCK, CONFIRM], DRAW, "game_over"),
        ([BLOCK, CONFIRM], END, "game_over"),
    ],
)
def test_draw_and_end_are_refused_for_the_first_reason(
    before: list[Json], action: Json, refusal: str
) -> None:
    assert last(*before, action).refusal == refusal


def test_a_player_draws_up_to_the_starting_hand_or_what_the_deck_still_has() -> None:
    assert to_draw(THREE, late((4, 6, 6), deck=10)) == 2
    assert to_draw(THREE, late((4, 6, 6), deck=1)) == 1
    drawn = draw(THREE, late((4, 6, 6), deck=1), ANY)
    assert (drawn.hands, drawn.deck, drawn.drawn) == ((5, 6, 6), 0, True)


def test_without_a_deck_there_is_nothing_to_draw_and_the_turn_ends_without() -> None:
    assert refuse_draw(THREE, late((4, 6, 6)), ANY) == "nothing_to_draw"
    assert refuse_end(THREE, late((4, 6, 6)), ANY) is None


def test_the_minimum_does_not_change_inside_a_turn() -> None:
    state = replace(late((4, 6, 6), deck=2), minimum=2, laid=2)
    drawn = draw(THREE, state, ANY)
    assert (drawn.deck, drawn.minimum) == (0, 2)
    assert end(THREE, drawn, ANY).minimum == 1


@pytest.mark.parametrize(
    ("hands", "seat", "following"),
    [((0, 2, 2), 0, 1), ((2, 0, 2), 0, 2), ((2, 0, 0), 0, 0), ((2, 0, 0), 2, 0), ((0, 0, 1), 2, 2)],
)
def test_empty_hands_leave_the_rotation(hands: tuple[int, ...], seat: int, following: int) -> None:
    assert end(THREE, late(hands, seat=seat), ANY).seat == following


def test_to_draw_is_offered_until_the_draw_and_only_while_playing() -> None:
    assert table_of(after(*PLAYED))["to_draw"] == 2
    assert table_of(after(*PLAYED, DRAW))["to_draw"] == 0
    assert table_of(after(PLAYED[0], BLOCK))["to_draw"] == 0
