"""Owns the strategies that are simulated: which card of a hand each lays next, or that it lays no more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from services.rules.the_game.cards import HIGHEST, listed
from services.rules.the_game.inference import reach
from services.rules.the_game.piles import RISING
from services.rules.the_game.state import State

GOES_ON_UP_TO = 3

Move = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to play, seeing the table and the own hand alone.

    `next` gives the pile's number and the card to lay now, None to lay no more: because no card of the hand,
    a set of cards, may be laid, or because the minimum is laid and the strategy stops. `about` says it in
    English.
    """

    id: str
    about: str
    next: Callable[[State, int, Random], Move | None]


def _least_step(state: State, hand: int, chance: Random) -> Move | None:
    step, card, number = _least(state, hand)
    return (number, card) if card and (_is_owed(state) or step <= GOES_ON_UP_TO) else None


def _minimum_only(state: State, hand: int, chance: Random) -> Move | None:
    _, card, number = _least(state, hand)
    return (number, card) if card and _is_owed(state) else None


def _random(state: State, hand: int, chance: Random) -> Move | None:
    if not _is_owed(state):
        return None
    moves = [
        (number, card)
        for number, (rising, pile) in enumerate(zip(RISING, state.piles, strict=True))
        for card in listed(reach(rising, pile.possible).legal & hand)
    ]
    return chance.choice(moves) if moves else None


STRATEGIES: Mapping[str, Strategy] = {
    strategy.id: strategy
    for strategy in (
        Strategy(
            "least_step",
            "Always the playable card that moves its pile least, a step of ten back counting as -10 and the "
            "lower card first; beyond the minimum only while the move is at most 3.",
            _least_step,
        ),
        Strategy(
            "minimum_only",
            "Always the playable card that moves its pile least, as least_step; never more than the minimum.",
            _minimum_only,
        ),
        Strategy(
            "random",
            "Any playable card on any pile that takes it, by lot, and never more than the minimum.",
            _random,
        ),
    )
}


def _is_owed(state: State) -> bool:
    return state.laid < state.minimum


def _least(state: State, hand: int) -> tuple[int, int, int]:
    """Step, card and pile's number of the card that moves its pile least; card 0 when none may be laid.

    On a rising pile that is the lowest card that fits, on a falling one the highest: a step back comes first.
    """
    best = (HIGHEST, 0, 0)
    for number, (rising, pile) in enumerate(zip(RISING, state.piles, strict=True)):
        fitting = reach(rising, pile.possible).legal & hand
        if fitting and pile.top is not None:
            card = (fitting & -fitting if rising else fitting).bit_length() - 1
            step = card - pile.top if rising else pile.top - card
            best = min(best, (step, card, number))
    return best
