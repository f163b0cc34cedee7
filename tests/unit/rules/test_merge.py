"""Merging, by named examples: what is proved, what is asked, and what is proposed."""

from typing import Any

import pytest

from services.rules.the_game.entries import read_entries
from services.rules.the_game.findings import Finding, Merged, Undecided
from services.rules.the_game.log import effective
from services.rules.the_game.merge import merge
from services.rules.the_game.options import Options
from services.rules.the_game.table import table
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, TWO, Json, lay


def found(
    common: list[Json], cloud: list[Json], device: list[Json], options: Options = TWO, by: str = "bcd"
) -> Finding:
    """What comes of two branches whose actions have ids of their own, where they have none yet."""
    logs = [
        read_entries([{"id": f"{side}{number}"} | action for number, action in enumerate(log)], side)
        for side, log in zip(by, (common, cloud, device), strict=True)
    ]
    return merge(options, *logs)


def settled(common: list[Json], cloud: list[Json], device: list[Json], options: Options = TWO) -> Merged:
    """The same, settled without a question."""
    merged = found(common, cloud, device, options)
    assert isinstance(merged, Merged)
    return merged


def asked(common: list[Json], cloud: list[Json], device: list[Json], options: Options = TWO) -> Undecided:
    """The same, undecided."""
    undecided = found(common, cloud, device, options)
    assert isinstance(undecided, Undecided)
    return undecided


def questions(undecided: Undecided) -> dict[str, tuple[Any, Any]]:
    return {question.id: (question.cloud, question.device) for question in undecided.questions}


def tops(merged: Merged) -> list[int | None]:
    return [pile.top for pile in merged.state.piles]


UNREAD: Json = dict.fromkeys(("up1", "up2", "down1", "down2"))
CARDS = [lay("up1", 5), lay("down1", 90), lay("up2", 20), lay("down2", 70)]
MORE = [lay("up1", 9), lay("down1", 88), lay("up2", 21)]


def test_ten_cards_entered_twice_in_different_but_compatible_order_are_one_story() -> None:
    first = [lay("up1", 5), lay("down1", 90), lay("up1", 8), lay("down2", 97), DRAW, END]
    second = [lay("up2", 20), lay("up2", 10), lay("down1", 80), DRAW, END]
    third = [lay("down2", 85), lay("up1", 14), lay("down2", 84)]
    again = [lay("down2", 97), lay("down1", 90), lay("up1", 5), lay("up1", 8), DRAW, END]
    again += [lay("down1", 80), lay("up2", 20), lay("up2", 10), DRAW, END]
    again += [lay("up1", 14), lay("down2", 85), lay("down2", 84)]
    merged = settled([], [*first, *second, *third], again)
    assert merged.proof.plays_common == 10
    assert (merged.proof.plays_cloud_only, merged.proof.plays_device_only, merged.proof.turns) == (0, 0, 3)
    assert merged.is_clouds
    assert tops(merged) == [14, 10, 80, 84]


def test_cards_on_different_piles_are_all_laid() -> None:
    merged = settled([], CARDS[:2], CARDS[2:])
    assert tops(merged) == [5, 20, 90, 70]
    assert merged.state.hands == (3, 7)
    assert not merged.is_clouds
    assert not merged.is_devices


def test_cards_that_only_one_has_go_between_those_that_both_have() -> None:
    cloud = [lay("up1", 5), lay("up1", 9), lay("up1", 12)]
    device = [lay("up1", 4), lay("up1", 5), lay("up1", 12), lay("up1", 15)]
    merged = settled([], cloud, device)
    assert [action.card for action in merged.story] == [4, 5, 9, 12, 15]


def test_one_card_on_two_piles_is_one_question() -> None:
    undecided = asked([], [lay("up1", 50)], [lay("up2", 50)])
    assert questions(undecided) == {"top:up1": (50, 1)}
    assert undecided.proposal is None
    difference = undecided.first_difference
    assert difference is not None
    assert (difference.turn, difference.seat, difference.index) == (1, 0, 0)
    assert difference.cloud is not None
    assert difference.device is not None
    assert (difference.cloud.pile, difference.device.pile) == ("up1", "up2")


def test_one_card_on_two_piles_asks_for_the_top_that_tells() -> None:
    undecided = asked([], [lay("up1", 50), lay("up1", 55)], [lay("up2", 50)])
    assert questions(undecided) == {"top:up2": (1, 50)}


def test_one_card_on_two_piles_is_a_question_also_when_only_one_of_them_fits_the_rest() -> None:
    undecided = asked([lay("up2", 60)], [lay("up1", 50)], [lay("up2", 50), lay("up2", 51)])
    assert questions(undecided) == {"top:up1": (50, 1)}
    assert undecided.proposal is None


def test_two_cards_on_two_piles_each_are_two_questions() -> None:
    undecided = asked([], [lay("up1", 50), lay("down1", 60)], [lay("up2", 50), lay("down2", 60)])
    assert questions(undecided) == {"top:up1": (50, 1), "top:down1": (60, 100)}


def test_two_cards_in_no_order_are_a_question_and_the_only_legal_order_is_proposed() -> None:
    undecided = asked([], [lay("up1", 45)], [lay("up1", 30)])
    assert questions(undecided) == {"top:up1": (45, 30)}
    assert undecided.proposal is not None
    assert [action.card for action in undecided.proposal.story] == [30, 45]


def test_where_a_step_back_makes_two_orders_legal_nothing_is_proposed() -> None:
    undecided = asked([], [lay("up1", 30)], [lay("up1", 40)])
    assert questions(undecided) == {"top:up1": (30, 40)}
    assert undecided.proposal is None


def test_cards_in_no_order_below_a_shared_top_ask_for_the_hands() -> None:
    undecided = asked([], [lay("up1", 30), lay("up1", 50)], [lay("up1", 31), lay("up1", 50)])
    assert questions(undecided) == {"hands": ([5, 7], [5, 7])}


def test_opposite_orders_of_the_same_cards_are_a_question() -> None:
    undecided = asked([], [lay("up1", 30), lay("up1", 40)], [lay("up1", 40), lay("up1", 30)])
    assert questions(undecided) == {"top:up1": (40, 30)}
    assert undecided.proposal is None


def test_differing_draws_ask_for_the_deck_and_what_differs_besides() -> None:
    undecided = asked(
        [], [lay("up1", 5), lay("up1", 6), DRAW], [lay("up1", 5), lay("up1", 6), lay("up2", 9), DRAW]
    )
    assert questions(undecided) == {"top:up2": (1, 9), "deck": (82, 81)}
    assert undecided.first_difference is not None
    assert undecided.first_difference.device is not None
    assert undecided.first_difference.device.card == 9


def test_a_draw_does_not_take_in_a_card_laid_before_it_on_the_other_device() -> None:
    undecided = asked([], [lay("up1", 5), lay("up1", 6), DRAW, END], [lay("down1", 90)])
    assert "deck" in questions(undecided)


def test_a_card_that_the_other_has_in_another_turn_is_a_question() -> None:
    first = [lay("up1", 5), lay("up1", 6), DRAW, END]
    undecided = asked([], [*first, lay("up2", 9)], [lay("up1", 5), lay("up2", 9)])
    assert undecided.first_difference is not None
    difference = undecided.first_difference
    assert difference.turn == 1
    assert difference.cloud is not None
    assert difference.device is not None
    assert difference.cloud.card == difference.device.card == 9
    assert undecided.proposal is None


def test_more_cards_than_the_hand_holds_are_a_question() -> None:
    cloud = [lay("up1", card) for card in range(2, 7)]
    device = [lay("up2", card) for card in range(10, 13)]
    undecided = asked([], cloud, device)
    assert questions(undecided) == {"top:up1": (6, 1), "top:up2": (1, 12), "hands": ([2, 7], [4, 7])}
    assert isinstance(found([], cloud, device[:2]), Merged)


def test_a_branch_in_the_middle_of_the_others_turn_gives_the_other() -> None:
    merged = settled(CARDS[:1], [*CARDS[1:], DRAW, END, *MORE], CARDS[1:3])
    assert merged.is_clouds
    assert settled(CARDS[:1], CARDS[1:3], [*CARDS[1:], DRAW, END, *MORE]).is_devices


def test_equal_ends_of_turns_blocks_and_confirmations_are_one() -> None:
    ended = [*CARDS, DRAW, END, BLOCK, CONFIRM]
    merged = settled([], ended, [CARDS[1], CARDS[0], *CARDS[2:], *ended[4:]])
    assert merged.is_clouds
    assert merged.state.status == "finished"


def test_a_confirmed_result_is_not_changed_without_a_question() -> None:
    expert = Options(2, "expert")
    assert isinstance(found([], [lay("up1", 5), BLOCK], [lay("up2", 9)], expert), Merged)
    undecided = asked([], [lay("up1", 5), BLOCK, CONFIRM], [lay("up2", 9)], expert)
    assert questions(undecided) == {"top:up1": (5, 1), "top:up2": (1, 9)}


def test_a_block_against_a_turn_that_went_on_is_a_question() -> None:
    undecided = asked([], [lay("up1", 5), BLOCK], [lay("up1", 5), lay("up2", 9)])
    assert questions(undecided) == {"top:up2": (1, 9), "hands": ([6, 7], [5, 7])}


def adopted(deck: int, hands: list[int], **piles: int) -> Json:
    """An entry that takes over a table, its piles untouched but for those given."""
    tops = {"up1": 1, "up2": 1, "down1": 100, "down2": 100} | piles
    return {"type": "adopt", "table": {"piles": tops, "deck": deck, "hands": hands, "active_seat": 0}}


def test_without_a_deck_a_turn_may_end_with_the_plays_of_both() -> None:
    merged = settled([adopted(0, [3, 3])], [lay("up1", 5), END], [lay("up2", 9)])
    assert (merged.state.seat, merged.state.hands) == (1, (1, 3))
    assert not merged.is_clouds


def test_a_card_in_another_turn_is_a_question_about_the_earlier_one() -> None:
    cloud = [lay("up1", 5), END, lay("up2", 9)]
    undecided = asked([adopted(0, [3, 3])], cloud, [lay("up1", 5), lay("up2", 9)])
    assert undecided.first_difference is not None
    assert undecided.first_difference.turn == 2


def test_a_turn_of_a_seat_that_would_be_passed_over_is_a_question() -> None:
    cloud = [lay("up1", 5), END, lay("down1", 80), END, lay("up1", 6)]
    undecided = asked([adopted(0, [2, 3])], cloud, [lay("up2", 9)])
    assert questions(undecided) == {
        "top:up1": (6, 1),
        "top:up2": (1, 9),
        "top:down1": (80, 100),
        "hands": ([0, 2], [1, 3]),
    }


def test_a_table_taken_over_stands_for_what_was_laid_before_it_and_nothing_more() -> None:
    table_seen = adopted(80, [7, 7], up1=30)
    assert settled([], [CARDS[1], lay("up1", 30), table_seen | {"table": _with_down(table_seen)}], [CARDS[1]])
    unread = table_seen | {"table": {**table_seen["table"], "piles": {**UNREAD, "up1": 30}}}
    assert isinstance(found([], [unread], [lay("down2", 70)]), Undecided)
    undecided = asked([], [table_seen], [lay("down2", 70)])
    assert questions(undecided) == {
        "top:up1": (30, 1),
        "top:down2": (100, 70),
        "deck": (80, 84),
        "hands": ([7, 7], [6, 7]),
    }
    assert settled([], [table_seen, lay("up1", 31)], [table_seen]).is_clouds


def _with_down(entry: Json) -> Json:
    shown: Json = entry["table"]
    return {**shown, "piles": {**shown["piles"], "down1": 90}}


def test_undo_of_ones_own_play_is_honoured() -> None:
    cloud = [lay("up1", 50), {"type": "undo"}, lay("up1", 5)]
    merged = settled([], cloud, [lay("up2", 50)])
    assert tops(merged) == [5, 50, 100, 100]


def test_an_action_from_before_that_both_took_back_is_gone() -> None:
    undo = {"type": "undo"}
    merged = settled(CARDS[:2], [undo, lay("up1", 8)], [undo, lay("up2", 21)])
    assert [action.card for action in merged.story] == [5, 8, 21]


def test_an_action_from_before_that_one_took_back_and_the_other_kept_is_a_question() -> None:
    undecided = asked([lay("up1", 30)], [{"type": "undo"}, lay("up1", 31)], [lay("down1", 90)])
    assert questions(undecided) == {
        "top:up1": (31, 30),
        "top:down1": (100, 90),
        "hands": ([6, 7], [5, 7]),
    }
    assert undecided.proposal is None
    assert undecided.agreed == ()
    assert isinstance(found([lay("up1", 30)], [{"type": "undo"}, lay("up1", 31)], []), Merged)


def test_an_undo_alone_against_more_plays_is_a_question_and_its_beginning_is_not() -> None:
    undo = {"type": "undo", "id": "u"}
    assert isinstance(found(CARDS[:1], [undo], [CARDS[1]]), Undecided)
    merged = settled(CARDS[:1], [undo, {"type": "redo"}, CARDS[1]], [undo])
    assert merged.is_clouds


def test_taking_back_and_entering_the_same_again_keeps_it() -> None:
    merged = settled(CARDS[:1], [{"type": "undo"}, CARDS[0], CARDS[1]], [CARDS[2]])
    assert tops(merged) == [5, 20, 90, 100]


def test_two_plays_without_value_on_one_pile_may_be_one_or_two() -> None:
    undecided = asked([], [lay("up1", confirmed=True)], [lay("up1", confirmed=True)])
    assert questions(undecided) == {"hands": ([6, 7], [6, 7])}
    assert undecided.proposal is None
    passed_on = lay("up1", confirmed=True, id="v")
    assert settled([], [passed_on], [passed_on, CARDS[1]]).is_devices


def test_a_play_without_value_may_be_the_card_that_the_other_saw() -> None:
    undecided = asked([], [lay("up1", confirmed=True)], [lay("up1", 30)])
    assert questions(undecided) == {"top:up1": (None, 30)}
    assert undecided.proposal is None


def test_a_card_that_one_device_named_is_named_in_the_result() -> None:
    unseen = lay("up1", confirmed=True, id="v")
    name = {"type": "identify", "target": "v", "card": 30}
    merged = settled([unseen], [lay("down1", 90)], [name, lay("up2", 20)])
    assert tops(merged) == [30, 20, 90, 100]
    assert merged.state.is_fully_controlled
    assert tops(settled([unseen], [name], [])) == [30, 1, 100, 100]
    assert settled([unseen], [], [name]).is_devices


def test_a_card_named_differently_is_a_question() -> None:
    unseen = lay("up1", confirmed=True, id="v")
    undecided = asked(
        [unseen],
        [{"type": "identify", "target": "v", "card": 30}],
        [{"type": "identify", "target": "v", "card": 31}],
    )
    assert questions(undecided) == {"top:up1": (30, 31)}


def test_a_name_that_the_other_branch_disproves_is_a_question() -> None:
    unseen = lay("up1", confirmed=True, id="v")
    name = {"type": "identify", "target": "v", "card": 30}
    undecided = asked([unseen], [name], [lay("down1", 30)])
    assert questions(undecided) == {
        "top:up1": (30, None),
        "top:down1": (100, 30),
        "hands": ([6, 7], [5, 7]),
    }
    assert [action.card for action in undecided.agreed] == [30]


def test_orders_that_leave_different_cards_under_an_unknown_top_are_a_question() -> None:
    common = [lay("up1", 98), lay("up1", confirmed=True, id="v")]
    undecided = asked(common, [lay("up1", confirmed=True)], [lay("down2", 88)])
    assert questions(undecided) == {"top:up1": (None, None)}
    assert undecided.proposal is None
    after_it = [lay("up1", confirmed=True), lay("down2", 88)]
    assert settled(common, after_it, CARDS[1:2]).state == settled(common, CARDS[1:2], after_it).state
    as_recorded = settled(common, [lay("up1", confirmed=True, id="w")], [lay("up1", confirmed=True, id="w")])
    assert as_recorded.is_clouds


def test_what_both_have_of_the_first_turns_is_agreed() -> None:
    turn = [*CARDS, DRAW, END]
    undecided = asked([], [*turn, lay("up1", 50)], [CARDS[1], CARDS[0], *turn[2:], lay("up2", 50)])
    assert len(undecided.agreed) == len(turn)
    assert undecided.state.turn == 2


def test_many_ways_are_asked_about_and_not_counted() -> None:
    solo = Options(1)
    cloud = [lay("up1", card) for card in (10, 20, 30, 40)]
    device = [lay("up1", card) for card in (11, 21, 31, 41)]
    undecided = asked([], cloud, device, solo)
    assert "top:up1" in questions(undecided)


def test_the_story_of_a_merged_log_is_legal_for_a_table_that_goes_on() -> None:
    merged = settled([], [*CARDS, DRAW, END], CARDS[:3])
    assert table(TWO, merged.state)["active_seat"] == 1
    assert effective(TWO, merged.story) == list(merged.story)


@pytest.mark.parametrize("status", ["merged", "asked"])
def test_branches_of_a_thousand_actions_are_answered(status: str) -> None:
    undone = [lay("up1", 50), {"type": "undo"}] * 500
    own = [lay("up2", 50)] if status == "asked" else []
    finding = found([], [*undone, lay("up1", 50)], [*undone, *own])
    assert isinstance(finding, Merged if status == "merged" else Undecided)


def test_of_two_plays_without_value_the_cards_between_them_count_from_either_side() -> None:
    solo = Options(players=1, reduced_hand=True)
    common = [lay("up2", 23)]
    unseen = lay("up1", confirmed=True)
    cloud = [lay("up1", 3), {**unseen, "id": "c"}, lay("up2", 13), lay("up2", 14)]
    device = [lay("up1", 3), {**unseen, "id": "d"}]
    assert set(questions(asked(common, cloud, device, solo))) == {"top:up1"}
    assert set(questions(asked(common, device, cloud, solo))) == {"top:up1"}
