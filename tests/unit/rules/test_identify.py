"""Naming a card that was laid without its value: as if it had been known, or not at all."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.the_game.actions import Action, read_actions
from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.compact import decode, encode
from services.rules.the_game.judgement import judge
from services.rules.the_game.log import effective, replay
from services.rules.the_game.table import table
from tests.unit.rules.builders import BLOCK, CONFIRM, OPTIONS, UNDO, Json, after, last, lay, table_of
from tests.unit.rules.evenings import whole_game

UNSEEN = lay("up1", confirmed=True, id="v")


def name(target: str, card: Any) -> Json:
    return {"type": "identify", "target": target, "card": card}


def test_a_named_card_is_as_if_it_had_been_known() -> None:
    assert (
        after(UNSEEN, lay("up2", 9), name("v", 30)).now.state
        == after(lay("up1", 30), lay("up2", 9)).now.state
    )
    assert table_of(after(UNSEEN, name("v", 30)))["control"] == "full"
    assert last(UNSEEN, name("v", 30)).instructions == []


def test_a_card_below_a_known_one_is_named_too() -> None:
    timeline = after(UNSEEN, lay("up1", 40, confirmed=True), name("v", 30))
    assert timeline.now.state == after(lay("up1", 30), lay("up1", 40)).now.state


@pytest.mark.parametrize(
    ("before", "target", "card", "refusal"),
    [
        ([UNSEEN], "w", 30, "target_not_valueless"),
        ([UNSEEN, UNDO], "v", 30, "target_not_valueless"),
        ([UNSEEN, name("v", 30)], "v", 31, "target_not_valueless"),
        ([lay("up1", 30, id="k")], "k", 31, "target_not_valueless"),
        ([UNSEEN], "v", 1, "card_out_of_range"),
        ([UNSEEN], "v", 100, "card_out_of_range"),
        ([UNSEEN], "v", "30", "card_out_of_range"),
        ([UNSEEN], "v", True, "card_out_of_range"),
        ([UNSEEN], "v", None, "card_out_of_range"),
        ([UNSEEN, lay("down1", 30)], "v", 30, "card_already_played"),
        ([lay("down1", 30), UNSEEN], "v", 30, "card_already_played"),
        ([UNSEEN, BLOCK], "v", 30, "result_pending"),
        ([UNSEEN, BLOCK, CONFIRM], "v", 30, "game_over"),
    ],
)
def test_a_name_is_refused_for_the_first_reason(
    before: list[Json], target: str, card: Any, refusal: str
) -> None:
    outcome = last(*before, name(target, card))
    assert outcome.refusal == refusal
    assert not outcome.errors


def test_a_name_that_does_not_fit_tells_which_entries_speak_against_it() -> None:
    on_top = lay("up1", 40, confirmed=True, id="above")
    assert last(lay("up1", 50), UNSEEN, name("v", 45)).errors == ["v"]
    assert last(UNSEEN, on_top, name("v", 60)).errors == ["above"]
    both = last(lay("up1", 50), UNSEEN, lay("up1", 52, confirmed=True, id="above"), name("v", 41))
    assert (both.refusal, both.errors) == ("illegal_play", ["v"])


def test_a_name_without_a_target_is_refused() -> None:
    assert (
        last(lay("up1", confirmed=True), {"type": "identify", "card": 30}).refusal == "target_not_valueless"
    )


def test_undo_takes_the_name_back_and_redo_gives_it_again() -> None:
    named = {**name("v", 30), "id": "n"}
    unnamed = after(UNSEEN, lay("up2", 9))
    undone = after(UNSEEN, lay("up2", 9), named, {"type": "undo", "target": "n"})
    assert undone.now == unnamed.now
    assert after(UNSEEN, lay("up2", 9), named, UNDO, {"type": "redo", "target": "n"}).now.state.entered == (
        1 << 30 | 1 << 9
    )


def test_undo_after_a_name_takes_back_one_thing_at_a_time() -> None:
    timeline = after(UNSEEN, name("v", 30), lay("up1", 40), UNDO, UNDO, UNDO)
    assert timeline.now.state == after().now.state


@given(OPTIONS, st.integers(0, 2**16), st.data())
def test_a_game_with_unseen_cards_is_whole_again_once_all_are_named(
    options: Any, seed: int, data: st.DataObject
) -> None:
    game = whole_game(options, seed)
    game = [
        action | {"id": f"a{number}"} for number, action in enumerate(game) if action["type"] != "confirm"
    ]
    game = game[: data.draw(st.integers(0, len(game)))]
    if game and game[-1]["type"] == "block":
        game.pop()
    plays = [number for number, action in enumerate(game) if action["type"] == "play"]
    unseen = data.draw(st.lists(st.sampled_from(plays), unique=True, max_size=6)) if plays else []
    hidden = read_actions(
        [_hidden(action) if n in unseen else _sure(action) for n, action in enumerate(game)]
    )
    timeline = replay(options, [])
    for action in hidden:
        timeline, outcome = judge(options, timeline, action)
        assert outcome.refusal is None
    whole = replay(options, read_actions(game)).now.state
    if whole.status != "playing":
        return
    for number in unseen:
        before = timeline
        named = Action("identify", card=game[number]["card"], id=f"n{number}", target=f"a{number}")
        timeline, outcome = judge(options, timeline, named)
        assert outcome.refusal is None
        assert decode(options, encode(timeline.now.state)) == timeline.now.state
        undone, _ = judge(options, timeline, Action("undo", target=f"n{number}"))
        assert undone.now == before.now
    assert timeline.now.state == whole
    log = [*hidden, *(Action("identify", card=game[n]["card"], target=f"a{n}") for n in unseen)]
    assert replay(options, log).now.state == whole
    assert [action.card for action in effective(options, log)] == [action.get("card") for action in game]


@given(OPTIONS, st.integers(0, 2**16), st.data())
def test_a_wrong_name_is_refused_and_changes_nothing_or_leaves_a_legal_story(
    options: Any, seed: int, data: st.DataObject
) -> None:
    game = whole_game(options, seed)[: data.draw(st.integers(1, 60))]
    plays = [number for number, action in enumerate(game) if action["type"] == "play"]
    unseen = data.draw(st.sampled_from(plays)) if plays else -1
    log = read_actions(
        [_hidden(action | {"id": "v"}) if n == unseen else _sure(action) for n, action in enumerate(game)]
    )
    timeline = replay(options, log)
    named, outcome = judge(
        options, timeline, Action("identify", card=data.draw(st.integers(LOWEST, HIGHEST)), target="v")
    )
    if outcome.refusal is not None:
        assert named == timeline
        assert bool(outcome.errors) == (outcome.refusal == "illegal_play")
        return
    again = replay(options, [])
    for action in effective(options, [*log, named.now.action or Action("draw")]):
        again, judged = judge(options, again, action)
        assert judged.refusal is None
    assert table(options, again.now.state) == table(options, named.now.state)


def _hidden(action: Json) -> Json:
    return {"type": "play", "pile": action["pile"], "confirmed": True, "id": action["id"]}


def _sure(action: Json) -> Json:
    return {**action, "confirmed": True} if action["type"] == "play" else action
