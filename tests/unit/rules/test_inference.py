"""What can be inferred about a pile, against the words of the product description taken literally."""

from hypothesis import given
from hypothesis import strategies as st

from services.rules.the_game.cards import HIGHEST, LOWEST, listed
from services.rules.the_game.inference import after_valueless, reach, without
from services.rules.the_game.piles import Pile, topped

CARDS = range(LOWEST, HIGHEST + 1)
SETS = st.sets(st.sampled_from(CARDS), max_size=6) | st.sets(st.sampled_from(CARDS))


def _as_set(cards: set[int]) -> int:
    return sum(1 << card for card in cards)


def _may_follow(rising: bool, top: int, card: int) -> bool:
    return card > top or card == top - 10 if rising else card < top or card == top + 10


@given(st.booleans(), SETS)
def test_a_card_is_legal_when_it_may_follow_every_possibility_left(rising: bool, possible: set[int]) -> None:
    legal, uncertain = reach(rising, _as_set(possible))
    for card in CARDS:
        left = possible - {card}
        follows = [_may_follow(rising, top, card) for top in left]
        assert (card in listed(legal)) == (bool(left) and all(follows))
        assert (card in listed(uncertain)) == (not left or (any(follows) and not all(follows)))


@given(st.booleans(), SETS, SETS)
def test_a_valueless_play_may_have_laid_what_follows_some_possibility(
    rising: bool, possible: set[int], entered: set[int]
) -> None:
    left = after_valueless(rising, _as_set(possible), _as_set(entered))
    expected = {
        card
        for card in CARDS
        if card not in entered and (not possible or any(_may_follow(rising, top, card) for top in possible))
    }
    assert set(listed(left)) == expected


@given(st.booleans(), st.sampled_from(range(1, 101)))
def test_a_known_top_leaves_nothing_uncertain_but_itself(rising: bool, top: int) -> None:
    legal, uncertain = reach(rising, topped(top).possible)
    assert listed(legal) == [card for card in CARDS if _may_follow(rising, top, card)]
    assert listed(uncertain) == ([top] if top in CARDS else [])


def test_a_card_seen_elsewhere_cannot_be_the_unknown_top() -> None:
    unknown = Pile(None, _as_set({87, 98, 99}))
    assert listed(without(unknown, 98).possible) == [87, 99]
    assert without(unknown, 50) is unknown
