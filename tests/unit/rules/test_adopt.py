"""Taking over what the table shows: what the log proves stays, the rest is as it is shown."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.the_game.actions import Action, Whole, read_actions
from services.rules.the_game.cards import ALL, COUNT, HIGHEST, LOWEST
from services.rules.the_game.compact import decode, encode
from services.rules.the_game.entries import read_entries
from services.rules.the_game.judgement import Outcome, judge
from services.rules.the_game.log import replay
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES
from services.rules.the_game.state import start
from services.rules.the_game.table import table
from services.rules.the_game.timeline import Timeline
from tests.unit.rules.builders import (
    BLOCK,
    CONFIRM,
    ODD_JSON,
    OPTIONS,
    TWO,
    Json,
    judged,
    lay,
    table_of,
    walks,
)
from tests.unit.rules.evenings import whole_game

UNTOUCHED: Json = {"up1": 1, "up2": 1, "down1": 100, "down2": 100}
PLAYED = [lay("up1", 5), lay("up1", 9), lay("down1", confirmed=True)]


def shown(deck: Any = 70, hands: Any = (7, 7), seat: Any = 0, **piles: Any) -> Json:
    """A table, its piles untouched but for those given."""
    return {
        "piles": UNTOUCHED | piles,
        "deck": deck,
        "hands": list(hands) if isinstance(hands, tuple) else hands,
        "active_seat": seat,
    }


def adopting(timeline: Timeline, seen: Mapping[str, Any], options: Options = TWO) -> tuple[Timeline, Outcome]:
    """What becomes of taking over a table."""
    return judge(options, timeline, Action("adopt", id="t", whole=Whole(table=seen)))


def played(*actions: Json) -> Timeline:
    return judged(TWO, actions)[0]


def test_the_table_starts_the_given_seats_turn() -> None:
    timeline, outcome = adopting(played(*PLAYED), shown(70, (7, 5), 1, up1=9, up2=40, down1=None, down2=60))
    assert outcome.refusal is None
    assert outcome.instructions == [{"kind": "next_player", "seat": 1}]
    seen = table_of(timeline)
    assert (seen["active_seat"], seen["turn"], seen["phase"], seen["played_this_turn"]) == (1, 2, "play", 0)
    assert (seen["deck"], seen["hands"], seen["minimum"], seen["remaining"]) == (70, [7, 5], 2, 82)
    assert {name: pile["top"] for name, pile in seen["piles"].items()} == {
        "up1": 9,
        "up2": 40,
        "down1": None,
        "down2": 60,
    }
    assert seen["played"] == [5, 9, 40, 60]
    assert seen["control"] == "partial"


def test_without_a_deck_the_minimum_is_one() -> None:
    assert adopting(played(), shown(0))[0].now.state.minimum == 1


def test_an_unread_pile_may_show_any_card_not_known_to_lie_elsewhere_or_none() -> None:
    timeline, _ = adopting(played(*PLAYED), shown(60, up1=None, up2=None, down1=None, down2=50))
    up1, up2, down1, _ = timeline.now.state.piles
    unknown = ALL & ~(1 << 5 | 1 << 9 | 1 << 50)
    assert up1.possible == unknown | 1 << 9
    assert up2.possible == unknown | 1 << 1
    assert down1.possible == unknown


def test_control_is_full_once_every_card_out_is_known() -> None:
    assert table_of(adopting(played(*PLAYED), shown(82, up1=9, down1=80))[0])["control"] == "partial"
    assert table_of(adopting(played(*PLAYED), shown(81, up1=9, down1=80))[0])["control"] == "full"


@pytest.mark.parametrize(
    ("seen", "place"),
    [
        (shown(-1), ["deck"]),
        (shown(85), ["deck"]),
        (shown("70"), ["deck"]),
        (shown(True), ["deck"]),
        (shown(70.0), ["deck"]),
        (shown(None), ["deck"]),
        (shown(83, up1=9, up2=40, down1=None), ["deck"]),
        (shown(70, (8, 7)), ["hands"]),
        (shown(70, (-1, 7)), ["hands"]),
        (shown(70, (7,)), ["hands"]),
        (shown(70, (7, 7, 7)), ["hands"]),
        (shown(70, 14), ["hands"]),
        (shown(70, None), ["hands"]),
        (shown(70, (7, None)), ["hands"]),
        (shown(1, (0, 0), up1=9, down1=None), ["hands"]),
        (shown(70, seat=2, up1=9, down1=None), ["active_seat"]),
        (shown(70, seat=-1, up1=9, down1=None), ["active_seat"]),
        (shown(70, seat=None, up1=9, down1=None), ["active_seat"]),
        (shown(70, seat=False, up1=9, down1=None), ["active_seat"]),
        (shown(70, (0, 7), up1=9, down1=None), ["active_seat"]),
        (shown(up1=9, down1=101), ["piles", "down1"]),
        (shown(up1=9, down1=1), ["piles", "down1"]),
        (shown(up1=100, down1=None), ["piles", "up1"]),
        (shown(up1=9, down1="80"), ["piles", "down1"]),
        (shown(up1=9, down1=True), ["piles", "down1"]),
        (shown(up1=9, down1=80.0), ["piles", "down1"]),
        (shown(up1=5, down1=None), ["piles", "up1"]),
        (shown(up1=30, up2=9, down1=None), ["piles", "up2"]),
        (shown(up1=9, up2=40, down1=40), ["piles", "down1"]),
        (shown(up1=1, down1=None), ["piles", "up1"]),
        (shown(up1=9, down1=100), ["piles", "down1"]),
        (shown(up1=9, down1=None, left=5), ["piles", "left"]),
        ({**shown(), "piles": 5}, ["piles"]),
        ({**shown(), "piles": {"up1": 9, "up2": 1, "down2": 100}}, ["piles", "down1"]),
        ({**shown(up1=9, down1=None), "mood": 5}, ["mood"]),
        ({"piles": UNTOUCHED, "deck": 70, "hands": [7, 7]}, ["active_seat"]),
        ({}, ["deck"]),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_field(seen: Json, place: list[str]) -> None:
    timeline = played(*PLAYED)
    after, outcome = adopting(timeline, seen)
    assert outcome.refusal == "table_impossible"
    assert after == timeline
    errors: Any = outcome.errors
    for field in place:
        assert isinstance(errors, dict)
        errors = errors[field]
    assert errors


def test_with_no_card_left_the_result_waits_to_be_confirmed() -> None:
    timeline, outcome = adopting(played(), shown(0, (0, 0)))
    assert (timeline.now.state.status, outcome.instructions) == ("cleared", [{"kind": "result"}])


@pytest.mark.parametrize("ending", [[BLOCK], [BLOCK, CONFIRM]])
def test_a_table_may_correct_a_result(ending: list[Json]) -> None:
    timeline, outcome = adopting(played(*ending), shown(70))
    assert (timeline.now.state.status, outcome.refusal) == ("playing", None)


def test_undo_brings_back_what_was_and_redo_the_table_shown() -> None:
    before = played(*PLAYED)
    adopted, _ = adopting(before, shown(70, up1=9, down1=None))
    undone, outcome = judge(TWO, adopted, Action("undo", target="t"))
    assert undone.now == before.now
    assert outcome.instructions == [{"kind": "next_player", "seat": 0}]
    redone, outcome = judge(TWO, undone, Action("redo", target="t"))
    assert redone.now == adopted.now
    assert outcome.instructions == [{"kind": "next_player", "seat": 0}]


def test_more_turns_than_cards_stay_readable() -> None:
    timeline = played()
    for _ in range(150):
        timeline, outcome = adopting(timeline, shown(70))
        assert outcome.refusal is None
    assert decode(TWO, encode(timeline.now.state)).turn == 151


@given(walks(), st.data())
def test_any_table_is_taken_over_or_refused_and_undo_leads_back(
    walk: tuple[Options, list[Json]], data: st.DataObject
) -> None:
    options, actions = walk
    before, _ = judged(options, actions)
    seen = data.draw(_tables(options, before))
    adopted, outcome = adopting(before, seen, options)
    if outcome.refusal is not None:
        assert adopted == before
        assert outcome.errors
        return
    state, known = adopted.now.state, before.now.state.entered
    assert (list(state.hands), state.deck, state.seat) == (seen["hands"], seen["deck"], seen["active_seat"])
    assert state.entered & known == known
    assert state.entered.bit_count() <= COUNT - state.remaining
    for name, pile in zip(NAMES, state.piles, strict=True):
        assert pile.top == seen["piles"][name]
    assert decode(options, encode(state)) == state
    assert judge(options, adopted, Action("undo"))[0].now == before.now
    _assert_goes_on(options, adopted, data)


def _assert_goes_on(options: Options, adopted: Timeline, data: st.DataObject) -> None:
    """What is offered on the new table is what it then takes."""
    piles = table(options, adopted.now.state)["piles"]
    pile, card = data.draw(st.sampled_from(NAMES)), data.draw(st.integers(LOWEST, HIGHEST))
    (bare, sure) = read_actions([lay(pile, card), lay(pile, card, confirmed=True)])
    assert (judge(options, adopted, bare)[1].refusal is None) == (card in piles[pile]["playable"])
    offered = card in piles[pile]["playable"] or card in piles[pile]["uncertain"]
    assert (judge(options, adopted, sure)[1].refusal is None) == offered


@st.composite
def _tables(draw: st.DrawFn, options: Options, before: Timeline) -> Json:
    """A table near the one that is, so that many can be."""
    state = before.now.state
    piles: Json = {}
    for name, fresh, pile in zip(NAMES, UNTOUCHED.values(), state.piles, strict=True):
        cards = st.integers(LOWEST, HIGHEST)
        piles[name] = draw(st.sampled_from([pile.top, pile.top, None, fresh]) | cards)
    counts = st.integers(0, options.starting_hand)
    hands = [draw(st.just(hand) | counts) for hand in state.hands]
    deck = draw(st.just(state.deck) | st.integers(0, state.deck))
    return {
        "piles": piles,
        "deck": deck,
        "hands": hands,
        "active_seat": draw(st.integers(0, options.players - 1)),
    }


@given(OPTIONS, st.integers(0, 2**16), st.data())
def test_what_is_true_on_the_table_is_never_impossible(
    options: Options, seed: int, data: st.DataObject
) -> None:
    game = read_actions(whole_game(options, seed))
    ends = [number for number, action in enumerate(game, 1) if action.type == "end_turn"] or [0]
    stopped = data.draw(st.integers(0, len(game)))
    met = data.draw(st.sampled_from(ends))
    recorded, truth = replay(options, game[: min(stopped, met)]), replay(options, game[:met]).now.state
    chance = Random(seed)
    seen = {
        "piles": {
            name: None if chance.random() < 0.3 else pile.top
            for name, pile in zip(NAMES, truth.piles, strict=True)
        },
        "deck": truth.deck,
        "hands": list(truth.hands),
        "active_seat": truth.seat,
    }
    adopted, outcome = adopting(recorded, seen, options)
    assert outcome.refusal is None
    for action in game[met:]:
        sure = Action(action.type, action.pile, action.card, action.type == "play")
        adopted, outcome = judge(options, adopted, sure)
        assert outcome.refusal is None
    assert adopted.now.state.remaining == replay(options, game).now.state.remaining


@given(ODD_JSON)
def test_any_json_as_a_table_is_judged(seen: Any) -> None:
    assert adopting(Timeline(played().now), seen)[1].refusal == "table_impossible"


@given(st.dictionaries(st.sampled_from(["piles", "deck", "hands", "active_seat", "up1"]), ODD_JSON))
def test_odd_fields_of_a_table_are_judged(fields: Json) -> None:
    (entry,) = read_entries([{"type": "adopt", "table": shown() | fields}], "log")
    _, outcome = judge(TWO, played(), entry)
    assert outcome.refusal in (None, "table_impossible")


def test_a_state_from_before_there_were_tables_is_still_read() -> None:
    old = [0, 0, 1, 0, [7, 7], 84, 2, 0, "0", [1, 1, 100, 100]]
    assert decode(TWO, old) == start(TWO)
