"""The play of a card: what is refused, in which order, and the table after it."""

import pytest

from tests.unit.rules.builders import (
    BLOCK,
    CONFIRM,
    DRAW,
    END,
    TWO,
    Json,
    after,
    last,
    lay,
    table_of,
)

SEVEN = [lay("up1", card) for card in range(2, 9)]


def test_only_the_top_counts() -> None:
    assert last(lay("up1", 57), lay("up1", 47), lay("up1", 48)).refusal is None
    assert last(lay("down1", 57), lay("down1", 67), lay("down1", 66)).refusal is None


@pytest.mark.parametrize("card", [46, 48, 57 - 20])
def test_a_step_back_is_exactly_ten(card: int) -> None:
    assert last(lay("up1", 57), lay("up1", card)).refusal == "illegal_play"


@pytest.mark.parametrize(
    "card", ["7", True, False, 7.0, 7.5, 1, 100, 0, -3, 10**400, [], [7], {}, {"card": 7}]
)
def test_a_card_is_an_integer_from_2_to_99(card: object) -> None:
    assert last({"type": "play", "pile": "up1", "card": card}).refusal == "card_out_of_range"


@pytest.mark.parametrize("pile", [None, "left", "", "UP1", 1, True, ["up1"], {"up1": 1}])
def test_a_pile_is_one_of_the_four_names(pile: object) -> None:
    assert last({"type": "play", "pile": pile, "card": 7}).refusal == "pile_unknown"


def test_null_means_that_the_card_is_absent() -> None:
    assert last({"type": "play", "pile": "up1", "card": None, "confirmed": True}).refusal is None


BLOCKED = [BLOCK]
DRAWN = [*SEVEN, DRAW]
UNCERTAIN = [lay("up1", 50), lay("up1", confirmed=True)]


@pytest.mark.parametrize(
    ("before", "action", "refusal"),
    [
        ([BLOCK, CONFIRM], lay("left", 200), "game_over"),
        (BLOCKED, lay("left", 200), "result_pending"),
        (DRAWN, lay("left", 200), "pile_unknown"),
        (DRAWN, lay("up1", 200), "card_out_of_range"),
        (DRAWN, lay("up1", 8), "already_drawn"),
        (SEVEN, lay("up1", 8), "hand_empty"),
        (SEVEN[:1], lay("up1", 2), "card_already_played"),
        ([*UNCERTAIN, lay("up2", 51)], lay("up1", 51), "card_already_played"),
        (UNCERTAIN, lay("up1", 7), "illegal_play"),
        (UNCERTAIN, lay("up1", 60), "confirmation_required"),
        (UNCERTAIN, lay("up1"), "confirmation_required"),
    ],
)
def test_the_first_reason_is_the_one_answered(before: list[Json], action: Json, refusal: str) -> None:
    assert last(*before, action).refusal == refusal


def test_a_play_without_a_value_makes_the_top_unknown_and_the_control_partial() -> None:
    seen = table_of(after(lay("up1", confirmed=True)))
    assert seen["piles"]["up1"]["top"] is None
    assert seen["control"] == "partial"
    assert seen["played"] == []
    assert seen["remaining"] == 97


def test_a_known_card_makes_the_top_known_and_the_control_stays_partial() -> None:
    seen = table_of(after(lay("up1", confirmed=True), lay("up1", 30, confirmed=True)))
    assert seen["piles"]["up1"]["top"] == 30
    assert seen["control"] == "partial"


def test_a_play_without_a_value_is_illegal_where_no_card_could_follow() -> None:
    everything_but_up1 = [lay("up1", 99), lay("up2", 89)]
    assert last(*everything_but_up1, lay("up1", confirmed=True)).refusal == "illegal_play"


def test_confirming_does_not_make_an_illegal_card_legal() -> None:
    assert last(lay("up1", 50), lay("up1", 45, confirmed=True)).refusal == "illegal_play"


def test_more_than_the_minimum_may_be_laid_up_to_the_whole_hand() -> None:
    timeline = after(*SEVEN)
    assert timeline.now.state.hands == (0, 7)
    assert last(*SEVEN, DRAW, END, lay("up2", 50), options=TWO).refusal is None
