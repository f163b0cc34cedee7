"""Games that the simulator played: their actions, and how they went, counted from the states alone."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from uuid import UUID

from services.rules.the_game.cards import HIGHEST, LOWEST
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES, NUMBERS, RISING
from services.rules.the_game.simulation.simulator import play
from services.rules.the_game.simulation.strategies import STRATEGIES
from services.rules.the_game.state import start
from tests.support.api import Json

ALL_OPTIONS = [
    Options(players, difficulty, reduced)
    for players, difficulty, reduced in product(range(1, 6), ("normal", "expert"), (False, True))
]
PROCESSES, PART = 2, 200


@dataclass(frozen=True, slots=True)
class Simulated:
    """One game: its options, what was done in it, and how it went, as rules would tell it."""

    options: Options
    actions: tuple[Json, ...]
    summary: Json


def simulated(games: int, seed: str) -> Iterator[list[Simulated]]:
    """So many games, in turn of all options, some at a time; the same seed gives the same games."""
    parts = [range(first, min(games, first + PART)) for first in range(0, games, PART)]
    with ProcessPoolExecutor(PROCESSES) as pool:
        yield from pool.map(_played, parts, [seed] * len(parts))


def _played(numbers: Sequence[int], seed: str) -> list[Simulated]:
    return [_game(ALL_OPTIONS[number % len(ALL_OPTIONS)], f"{seed} {number}") for number in numbers]


def _game(options: Options, seed: str) -> Simulated:
    chance = random.Random(seed)
    cards = list(range(LOWEST, HIGHEST + 1))
    chance.shuffle(cards)
    actions: list[Json] = []
    plays: dict[int, int] = {}
    back, largest, blocked_by = dict.fromkeys(NAMES, 0), 0, None
    state = start(options)
    for action, after in play(options, STRATEGIES["least_step"], cards, chance):
        done: Json = {"id": str(UUID(int=chance.getrandbits(128), version=4)), "type": action.type}
        if action.type == "play":
            done |= {"pile": action.pile, "card": action.card}
            number = NUMBERS[action.pile]
            top = state.piles[number].top
            assert top is not None
            assert action.card is not None
            step = action.card - top if RISING[number] else top - action.card
            back[action.pile] += step == -10
            largest = max(largest, 0 if step == -10 else abs(step))
            plays[state.turn] = plays.get(state.turn, 0) + 1
        elif action.type == "block":
            blocked_by = state.seat
            plays.setdefault(state.turn, 0)
        actions.append(done)
        state = after
    remaining = state.remaining
    summary = {
        **asdict(options),
        "outcome": "loss" if remaining else "win",
        "remaining": remaining,
        "rating": "perfect" if not remaining else "excellent" if remaining < 10 else "counted",
        "turns": len(plays),
        "plays_per_turn": list(plays.values()),
        "back_tens": back,
        "largest_jump": largest,
        "control": "full",
        "deck": state.deck,
        "hands": list(state.hands),
        "blocked_by": blocked_by,
        "rules_version": "1",
    }
    return Simulated(options, tuple(actions), summary)
