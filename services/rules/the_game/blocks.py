"""Owns the block: when it may be declared, and whether public facts speak against it."""

from dataclasses import replace

from services.rules.the_game.actions import Action
from services.rules.the_game.cards import ALL
from services.rules.the_game.inference import reach
from services.rules.the_game.options import Options
from services.rules.the_game.piles import RISING
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.state import State


def refuse_block(options: Options, state: State, action: Action) -> Refusal | None:
    """Why the active player may not declare a block, or None; with the minimum played the turn just ends."""
    return "minimum_already_played" if state.laid >= state.minimum else None


def declare(options: Options, state: State, action: Action) -> State:
    """The table after a block was declared: what was laid stays, and the result waits to be confirmed."""
    return replace(state, status="blocked")


def is_contradicted(state: State) -> bool:
    """True when every hand of this size could still lay the cards owed, whatever it holds.

    Cards that are each legal can always all be laid: a step of ten first, then in order. So a block needs so
    many dead cards, not certainly legal on any pile, that a hand may hold fewer live ones than are owed.
    """
    alive = 0
    for rising, pile in zip(RISING, state.piles, strict=True):
        alive |= reach(rising, pile.possible).legal
    dead = ALL & ~state.entered & ~alive
    return state.hands[state.seat] - dead.bit_count() >= state.minimum - state.laid
