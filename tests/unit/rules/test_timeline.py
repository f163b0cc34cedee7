"""Undo and redo: by target, back to the start, and until something new is played."""

from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, REDO, TWO, UNDO, after, judged, last, lay

ONE, TWO_CARDS = lay("up1", 5, id="a1"), lay("up1", 6, id="a2")


def test_two_taps_with_the_same_target_take_one_thing_back() -> None:
    undo = {"type": "undo", "target": "a2"}
    assert last(ONE, TWO_CARDS, undo).refusal is None
    assert last(ONE, TWO_CARDS, undo, undo).refusal == "undo_target_mismatch"


def test_at_the_start_there_is_nothing_to_undo_whatever_the_target() -> None:
    assert last(UNDO).refusal == "nothing_to_undo"
    assert last(ONE, UNDO, {"type": "undo", "target": "a1"}).refusal == "nothing_to_undo"


def test_redo_names_the_action_that_was_undone_last() -> None:
    undone = [ONE, TWO_CARDS, UNDO, UNDO]
    assert last(*undone, {"type": "redo", "target": "a2"}).refusal == "undo_target_mismatch"
    assert last(*undone, {"type": "redo", "target": "a1"}).refusal is None
    assert last(*undone, REDO, REDO, REDO).refusal == "nothing_to_redo"


def test_after_a_redo_the_next_undo_names_the_original_action() -> None:
    assert last(ONE, UNDO, REDO, {"type": "undo", "target": "a1"}).refusal is None


def test_a_new_action_ends_redo_and_a_refused_one_does_not() -> None:
    assert last(ONE, UNDO, lay("up1", 7), REDO).refusal == "nothing_to_redo"
    _, outcomes = judged(TWO, [ONE, UNDO, lay("up1", 200), REDO])
    assert [outcome.refusal for outcome in outcomes] == [None, None, "card_out_of_range", None]


def test_an_undo_does_not_end_redo() -> None:
    timeline = after(ONE, TWO_CARDS, UNDO, UNDO, REDO)
    assert timeline.redoable is not None
    assert timeline.redoable.id == "a2"


def test_undo_reaches_over_turns_and_a_confirmed_result() -> None:
    played = [ONE, TWO_CARDS, DRAW, END, BLOCK, CONFIRM]
    start = after().now.state
    assert after(*played, *[UNDO] * len(played)).now.state == start


def test_undo_and_redo_work_while_a_result_is_pending_or_confirmed() -> None:
    assert last(BLOCK, UNDO).refusal is None
    assert last(BLOCK, CONFIRM, UNDO, REDO).refusal is None
