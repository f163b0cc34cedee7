"""Owns games played by a simple strategy through the rules' own functions.

The strategy: the first player is fixed; of all playable cards lay the one that moves its pile least, a step
of ten back counting -10, ties to the lower card; after the minimum go on only while the move is at most 3;
cards of a failed last turn stay laid.
"""

import random
from collections.abc import Iterator, Sequence

from services.rules.the_game.actions import Action
from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.game import apply, refuse
from services.rules.the_game.inference import reach
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES, RISING
from services.rules.the_game.state import State, start

GOES_ON_UP_TO = 3
DRAW, END, BLOCK, CONFIRM = (Action(type_) for type_ in ("draw", "end_turn", "block", "confirm"))


def simulate(options: Options, games: int, seed: str) -> list[int]:
    """Cards left in each of many games; the same seed gives the same games."""
    chance = random.Random(seed)
    cards = list(range(LOWEST, HIGHEST + 1))
    remaining = []
    for _ in range(games):
        chance.shuffle(cards)
        state = start(options)
        for _, state in play(options, cards):  # noqa: B007
            pass
        remaining.append(state.remaining)
    return remaining


def play(options: Options, cards: Sequence[int]) -> Iterator[tuple[Action, State]]:
    """One whole game from a shuffled pack up to its confirmed result: each action with the state after it.

    Raises ValueError when the rules refuse what the strategy does.
    """
    state = start(options)
    pack, hands = list(cards), [0] * options.players
    for seat, count in enumerate(state.hands):
        hands[seat] = _dealt(pack, count)
    while state.status != "finished":
        action = _next(state, hands[state.seat])
        refusal = refuse(options, state, action)
        if refusal is not None:
            raise ValueError(f"{action} is refused: {refusal}")
        seat, before, state = state.seat, state, apply(options, state, action)
        if action.card is not None:
            hands[seat] ^= 1 << action.card
        hands[seat] |= _dealt(pack, before.deck - state.deck)
        yield action, state


def _next(state: State, hand: int) -> Action:
    """What the strategy does at this state with this hand, a set of cards."""
    if state.status != "playing":
        return CONFIRM
    if state.drawn:
        return END
    move, card, number = _least_move(state, hand)
    owed = state.laid < state.minimum
    if card and (owed or move <= GOES_ON_UP_TO):
        return Action("play", NAMES[number], card)
    if owed:
        return BLOCK
    return DRAW if state.deck else END


def _least_move(state: State, hand: int) -> tuple[int, int, int]:
    """Move, card and pile's number of the card that moves its pile least; card 0 when none may be laid.

    On a rising pile that is the lowest card that fits, on a falling one the highest: a step back comes first.
    """
    best = (HIGHEST, 0, 0)
    for number, (rising, pile) in enumerate(zip(RISING, state.piles, strict=True)):
        fitting = reach(rising, pile.possible).legal & hand
        if fitting and pile.top is not None:
            card = (fitting & -fitting if rising else fitting).bit_length() - 1
            move = card - pile.top if rising else pile.top - card
            best = min(best, (move, card, number))
    return best


def _dealt(pack: list[int], count: int) -> int:
    """Take this many cards off the pack, as a set."""
    hand = 0
    for _ in range(count):
        hand |= 1 << pack.pop()
    return hand
