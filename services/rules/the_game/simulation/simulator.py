"""Owns whole games played by a strategy: every action is judged by the rules as a table's would be.

The first player is fixed, nobody talks, and cards of a failed last turn stay laid.
"""

import random
from collections.abc import Iterator, Sequence

from services.rules.the_game.actions import Action
from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.game import apply, refuse
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES
from services.rules.the_game.simulation.strategies import Strategy
from services.rules.the_game.state import State, start

DRAW, END, BLOCK, CONFIRM = (Action(type_) for type_ in ("draw", "end_turn", "block", "confirm"))


def simulate(options: Options, strategy: Strategy, games: int, seed: str) -> list[int]:
    """Cards left in each of many games; the same seed gives the same games, however many there are."""
    chance = random.Random(seed)  # noqa: S311 - cards are shuffled, nothing is kept secret
    cards = list(range(LOWEST, HIGHEST + 1))
    remaining = []
    for _ in range(games):
        chance.shuffle(cards)
        state = start(options)
        for _, state in play(options, strategy, cards, chance):  # noqa: B007
            pass
        remaining.append(state.remaining)
    return remaining


def play(
    options: Options, strategy: Strategy, cards: Sequence[int], chance: random.Random
) -> Iterator[tuple[Action, State]]:
    """One whole game from a shuffled pack up to its confirmed result: each action with the state after it.

    Raises ValueError when the rules refuse what the strategy does.
    """
    state = start(options)
    pack, hands = list(cards), [0] * options.players
    for seat, count in enumerate(state.hands):
        hands[seat] = _dealt(pack, count)
    while state.status != "finished":
        action = _next(state, strategy, hands[state.seat], chance)
        refusal = refuse(options, state, action)
        if refusal is not None:
            raise ValueError(f"{action} is refused: {refusal}")
        seat, before, state = state.seat, state, apply(options, state, action)
        if action.card is not None:
            hands[seat] ^= 1 << action.card
        hands[seat] |= _dealt(pack, before.deck - state.deck)
        yield action, state


def _next(state: State, strategy: Strategy, hand: int, chance: random.Random) -> Action:
    """What the strategy does at this state with this hand."""
    if state.status != "playing":
        return CONFIRM
    if state.drawn:
        return END
    move = strategy.next(state, hand, chance)
    if move is not None:
        number, card = move
        return Action("play", NAMES[number], card)
    if state.laid < state.minimum:
        return BLOCK
    return DRAW if state.deck else END


def _dealt(pack: list[int], count: int) -> int:
    """Take this many cards off the pack, as a set."""
    hand = 0
    for _ in range(count):
        hand |= 1 << pack.pop()
    return hand
