"""The block: when it may be declared, and when public facts speak against it."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.the_game.blocks import is_contradicted
from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.options import Options
from services.rules.the_game.piles import topped
from services.rules.the_game.state import start
from tests.unit.rules.builders import BLOCK, DRAW, END, after, last, lay

TOPS = st.sampled_from(range(LOWEST, HIGHEST + 1))


def _can_lay(owed: int, hand: frozenset[int], tops: tuple[int, ...]) -> bool:
    """Whether some order lays this many cards of the hand; piles 0 and 1 rise, 2 and 3 fall."""
    if owed == 0:
        return True
    for card in hand:
        for number, top in enumerate(tops):
            fits = card > top or card == top - 10 if number < 2 else card < top or card == top + 10
            if fits and _can_lay(owed - 1, hand - {card}, (*tops[:number], card, *tops[number + 1 :])):
                return True
    return False


@settings(max_examples=300)
@given(
    st.lists(TOPS, min_size=4, max_size=4, unique=True), st.integers(1, 8), st.integers(1, 3), st.randoms()
)
def test_a_contradicted_block_could_have_been_played_with_any_hand(
    tops: list[int], hand: int, owed: int, chance: Random
) -> None:
    state = replace(
        start(Options(1)),
        hands=(hand,),
        minimum=owed,
        entered=sum(1 << top for top in tops),
        piles=tuple(map(topped, tops)),
    )
    if is_contradicted(state):
        cards = [card for card in range(LOWEST, HIGHEST + 1) if card not in tops]
        for _ in range(5):
            assert _can_lay(owed, frozenset(chance.sample(cards, hand)), tuple(tops))


@given(st.lists(TOPS, min_size=4, max_size=12, unique=True), st.integers(0, 8), st.integers(1, 3))
def test_a_block_is_contradicted_exactly_when_too_few_cards_are_dead(
    entered: list[int], hand: int, owed: int
) -> None:
    tops = tuple(entered[:4])
    state = replace(
        start(Options(1)),
        hands=(hand,),
        minimum=owed,
        entered=sum(1 << card for card in entered),
        piles=tuple(map(topped, tops)),
    )
    dead = sum(
        card not in entered and not _can_lay(1, frozenset({card}), tops)
        for card in range(LOWEST, HIGHEST + 1)
    )
    assert is_contradicted(state) == (hand - dead >= owed)


def test_a_block_at_the_start_is_accepted_with_a_warning() -> None:
    outcome = last(BLOCK)
    assert outcome.refusal is None
    assert outcome.warnings == ["block_contradicted"]
    assert outcome.instructions == [{"kind": "result"}]


def test_a_block_among_dead_cards_needs_no_warning() -> None:
    begun = [lay("up1", 97), lay("up2", 96), lay("down1", 4), lay("down2", 5)]
    assert last(*begun, DRAW, END, BLOCK).warnings == []


def test_with_the_minimum_played_there_is_no_block() -> None:
    assert last(lay("up1", 2), lay("up1", 3), BLOCK).refusal == "minimum_already_played"


def test_cards_laid_in_a_blocked_turn_stay_laid() -> None:
    state = after(lay("up1", 5), BLOCK).now.state
    assert (state.status, state.remaining, state.piles[0].top) == ("blocked", 97, 5)


def test_the_warning_comes_again_when_the_block_is_redone() -> None:
    outcome = last(BLOCK, {"type": "undo"}, {"type": "redo"})
    assert outcome.warnings == ["block_contradicted"]
