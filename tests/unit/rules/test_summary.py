"""What is counted of a finished game, entry by entry."""

from typing import Any

import pytest

from services.rules.the_game import ruleset
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, REDO, TWO, UNDO, Json, as_json, lay

NONE_BACK = {"up1": 0, "up2": 0, "down1": 0, "down2": 0}
FIRST = [lay("up1", 5, id="a"), lay("up2", 9, id="b"), DRAW, END]
SHOWN: Json = {
    "piles": {"up1": 30, "up2": 9, "down1": 100, "down2": None},
    "deck": 80,
    "hands": [7, 6],
    "active_seat": 1,
}


def answered(*log: Json, **options: Any) -> Json:
    """The answer about a whole log, without further actions."""
    entries = [{"id": f"e{number}"} | entry for number, entry in enumerate(log)]
    return ruleset.answer(as_json(TWO) | options, None, entries, [], tables=False)


def summed(*log: Json, **options: Any) -> Json:
    """The summary of a finished log."""
    found: Json = answered(*log, **options)["summary"]
    return found


def adopt(**table: Any) -> Json:
    return {"type": "adopt", "table": SHOWN | table}


def resolve(choice: str, version: int, *actions: Json, **more: Any) -> Json:
    return {"type": "resolve", "choice": choice, "base_version": version, "actions": [*actions], **more}


def test_a_whole_summary() -> None:
    log = [
        *FIRST,
        lay("up1", 40),
        lay("up1", 30),
        lay("down1", 80),
        DRAW,
        END,
        lay("down1", 90),
        BLOCK,
        CONFIRM,
    ]
    assert summed(*log, first_seat=1) == {
        "players": 2,
        "difficulty": "normal",
        "reduced_hand": False,
        "first_seat": 1,
        "outcome": "loss",
        "remaining": 92,
        "rating": "counted",
        "turns": 3,
        "plays_per_turn": [2, 3, 1],
        "back_tens": {"up1": 1, "up2": 0, "down1": 1, "down2": 0},
        "largest_jump": 35,
        "control": "full",
        "deck": 79,
        "hands": [7, 6],
        "blocked_by": 1,
        "rules_version": "1",
    }


def test_a_game_blocked_before_its_first_card_has_one_turn_without_a_play() -> None:
    found = summed(BLOCK, CONFIRM)
    assert (found["turns"], found["plays_per_turn"], found["remaining"]) == (1, [0], 98)
    assert (found["largest_jump"], found["back_tens"], found["blocked_by"]) == (None, NONE_BACK, 0)


def test_the_seat_that_declared_the_block_is_not_always_the_first() -> None:
    assert summed(*FIRST, BLOCK, CONFIRM)["blocked_by"] == 1


def test_nobody_blocked_when_all_cards_were_out() -> None:
    log = [adopt(deck=0, hands=[1, 0], active_seat=0), lay("up1", 99), CONFIRM]
    found = summed(*log)
    assert found["blocked_by"] is None
    assert (found["outcome"], found["remaining"], found["rating"], found["hands"]) == (
        "win",
        0,
        "perfect",
        [0, 0],
    )


def test_what_was_undone_is_in_no_figure() -> None:
    log = [
        lay("up1", 50),
        lay("up1", 40),
        UNDO,
        UNDO,
        lay("up1", 5, id="a"),
        BLOCK,
        UNDO,
        lay("up2", 9, id="b"),
    ]
    assert summed(*log, DRAW, END, BLOCK, CONFIRM) == summed(*FIRST, BLOCK, CONFIRM)


def test_a_pile_untouched_is_known_and_a_card_ten_further_on_is_a_jump() -> None:
    found = summed(lay("up1", 11), lay("down2", 60), DRAW, END, lay("up1", 21), BLOCK, CONFIRM)
    assert (found["largest_jump"], found["back_tens"]) == (40, NONE_BACK)


def test_a_step_of_ten_back_is_no_jump() -> None:
    found = summed(*(lay("down1", card) for card in (95, 90, 86, 96)), DRAW, END, BLOCK, CONFIRM)
    assert (found["largest_jump"], found["back_tens"]) == (5, NONE_BACK | {"down1": 1})


def test_a_card_without_its_value_is_a_play_but_no_step_and_no_jump_nor_is_the_one_on_it() -> None:
    log = [lay("up1", confirmed=True, id="v"), lay("up1", 60, confirmed=True), DRAW, END, BLOCK, CONFIRM]
    found = summed(*log)
    assert (found["plays_per_turn"], found["largest_jump"], found["control"]) == ([2, 0], None, "partial")


def test_a_card_named_later_counts_as_if_it_had_been_known() -> None:
    log = [
        lay("up1", 50),
        lay("up1", confirmed=True, id="v"),
        {"type": "identify", "target": "v", "card": 40},
    ]
    found = summed(*log, DRAW, END, BLOCK, CONFIRM)
    assert found == summed(lay("up1", 50), lay("up1", 40), DRAW, END, BLOCK, CONFIRM)
    assert (found["back_tens"]["up1"], found["control"]) == (1, "full")


def test_after_an_adopted_table_only_what_was_entered_counts() -> None:
    log = [*FIRST, lay("up1", 12), adopt(), lay("up1", 33), lay("down2", 60, confirmed=True), DRAW, END]
    found = summed(*log, BLOCK, CONFIRM)
    assert found["plays_per_turn"] == [2, 1, 2, 0]
    assert found["largest_jump"] == 8  # not 18, from 12 to the 30 that was shown: nobody laid that
    assert (found["remaining"], found["control"]) == (91, "partial")
    assert sum(found["plays_per_turn"]) < 98 - found["remaining"]


def test_a_turn_that_an_adopted_table_broke_off_counts_with_its_cards_or_not_at_all() -> None:
    assert summed(*FIRST, adopt(), BLOCK, CONFIRM)["plays_per_turn"] == [2, 0]
    assert summed(*FIRST, lay("up1", 12), adopt(), BLOCK, CONFIRM)["plays_per_turn"] == [2, 1, 0]
    assert summed(BLOCK, adopt(), BLOCK, CONFIRM)["plays_per_turn"] == [0]


def test_a_table_shown_without_cards_left_is_a_win_of_which_nothing_else_is_known() -> None:
    found = summed(adopt(deck=0, hands=[0, 0], active_seat=0), CONFIRM)
    assert (found["outcome"], found["turns"], found["plays_per_turn"]) == ("win", 0, [])
    assert (found["control"], found["blocked_by"]) == ("partial", None)


def test_a_resolved_game_is_summed_up_as_it_is_told_now() -> None:
    other = [
        lay("up1", 7, id="c"),
        lay("up1", 8, id="d"),
        lay("down2", 90, id="e"),
        DRAW,
        END,
        BLOCK,
        CONFIRM,
    ]
    log = [*FIRST, BLOCK, CONFIRM, resolve("device", 0, *other)]
    assert summed(*log) == summed(*other)
    assert summed(*log, UNDO) == summed(*FIRST, BLOCK, CONFIRM)
    assert summed(*log, UNDO, REDO) == summed(*other)


def test_a_game_rewound_to_its_result_is_summed_up_again() -> None:
    finished = [*FIRST, BLOCK, CONFIRM]
    log = [*finished, UNDO, UNDO, lay("up1", 60), {"type": "rewind", "to_version": len(finished)}]
    assert summed(*log) == summed(*finished)


@pytest.mark.parametrize("log", [[], FIRST, [*FIRST, BLOCK], [*FIRST, BLOCK, CONFIRM, UNDO]])
def test_there_is_no_summary_without_a_confirmed_result(log: list[Json]) -> None:
    answer = answered(*log)
    assert answer["summary"] is answer["result"] is None


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(([*FIRST, BLOCK], CONFIRM), id="confirm"),
        pytest.param(([*FIRST, BLOCK, CONFIRM, UNDO], REDO), id="redo"),
        pytest.param(([*FIRST, BLOCK, CONFIRM, adopt()], UNDO), id="undo of what reopened it"),
        pytest.param((FIRST, resolve("device", 4, BLOCK, CONFIRM)), id="resolve"),
        pytest.param(([*FIRST, BLOCK, CONFIRM], resolve("device", 4, BLOCK, CONFIRM)), id="resolve again"),
        pytest.param(([*FIRST, BLOCK, CONFIRM, UNDO], {"type": "rewind", "to_version": 6}), id="rewind"),
    ],
)
def test_whatever_leads_to_a_result_carries_the_summary(action: tuple[list[Json], Json]) -> None:
    log, last = action
    answer = ruleset.answer(as_json(TWO), None, log, [last], tables=False)
    (outcome,) = answer["outcomes"]
    assert outcome["result"] == answer["result"]
    assert outcome["summary"] == answer["summary"] == summed(*FIRST, BLOCK, CONFIRM)


def test_what_leads_to_no_result_and_what_is_refused_carry_no_summary() -> None:
    actions = [lay("up1", 5), BLOCK, CONFIRM, DRAW, UNDO, REDO]
    outcomes = ruleset.answer(as_json(TWO), None, None, actions, tables=False, go_on=True)["outcomes"]
    assert ["summary" in outcome for outcome in outcomes] == [False, False, True, False, False, True]
    assert ["result" in outcome for outcome in outcomes] == [False, False, True, True, False, True]


def test_from_a_bare_state_the_game_is_confirmed_without_a_summary() -> None:
    state = ruleset.answer(as_json(TWO), None, None, [*FIRST, BLOCK], tables=False)["state"]
    answer = ruleset.answer(as_json(TWO), state, None, [CONFIRM], tables=False)
    assert answer["result"]["remaining"] == 96
    assert "summary" not in answer
    assert "summary" not in answer["outcomes"][0]


def test_evaluate_tells_the_summary_beside_the_result() -> None:
    log = [*FIRST, BLOCK, CONFIRM]
    assert ruleset.evaluate(as_json(TWO), log, tables=False)["summary"] == summed(*log)
    assert ruleset.evaluate(as_json(TWO), log[:-1], tables=False)["summary"] is None
