"""Owns what can be inferred about a pile from the set of cards that may lie on top of it."""

from functools import lru_cache
from typing import NamedTuple

from services.rules.the_game.cards import ALL, listed
from services.rules.the_game.piles import Pile, followers


class Reach(NamedTuple):
    """The set of cards that may follow for certain, and the set of those that may follow perhaps."""

    legal: int
    uncertain: int


@lru_cache(maxsize=8192)
def reach(rising: bool, possible: int) -> Reach:
    """Judge every card not yet entered against what may lie on the pile.

    A card cannot lie below itself: before it is judged it is taken out of `possible`. It is legal when it may
    follow every card left, illegal when none, and uncertain otherwise, also when no card is left.
    """
    if not possible:
        return Reach(0, ALL)
    after_every, after_some = ALL, 0
    for top in listed(possible):
        after = followers(rising, top)
        after_every &= after | 1 << top
        after_some |= after
    only_itself = possible & ALL if possible.bit_count() == 1 else 0
    legal = after_every & ~only_itself
    return Reach(legal, (after_some | only_itself) & ~legal)


def after_valueless(rising: bool, possible: int, entered: int) -> int:
    """The set of cards that a play without a value may have laid; empty when none could follow.

    Derived once, when the play is accepted. With no possibility left before, it is any card not entered.
    """
    if not possible:
        return ALL & ~entered
    after_some = 0
    for top in listed(possible):
        after_some |= followers(rising, top)
    return after_some & ~entered


def without(pile: Pile, card: int) -> Pile:
    """The pile once `card` was seen elsewhere: it cannot be the unknown top."""
    seen = 1 << card
    return Pile(pile.top, pile.possible & ~seen) if pile.possible & seen else pile
