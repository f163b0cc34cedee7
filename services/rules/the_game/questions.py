"""Owns the questions that a merge leaves to the table: about public facts, as few as tell apart."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from services.rules.the_game.piles import NAMES, NUMBERS
from services.rules.the_game.state import State

DECK = len(NAMES)
HANDS = DECK + 1
FACTS = HANDS + 1


@dataclass(frozen=True, slots=True)
class Question:
    """What the table is asked, and what each side's table shows there."""

    fact: Literal["top", "deck", "hands"]
    pile: str | None
    cloud: Any
    device: Any

    @property
    def id(self) -> str:
        """The same for the same fact, always."""
        return f"{self.fact}:{self.pile}" if self.pile else self.fact


def ask(
    cloud: State, device: State, possible: Sequence[State], disputed: Sequence[tuple[str, ...]]
) -> tuple[Question, ...]:
    """The fewest facts that tell apart what is possible and touch every dispute, the first ones in order.

    `disputed` are the piles of each dispute. When nothing is possible, that is all facts that differ.
    """
    differing = _facts(number for number in range(FACTS) if _shown(cloud, number) != _shown(device, number))
    needs = _needs(cloud, device, possible, disputed, differing) if possible else set()
    asked = _fewest(needs) or differing or _tops(disputed) or frozenset({HANDS})
    return tuple(_question(cloud, device, number) for number in sorted(asked))


def _needs(
    cloud: State,
    device: State,
    possible: Sequence[State],
    disputed: Sequence[tuple[str, ...]],
    differing: frozenset[int],
) -> set[frozenset[int]]:
    """Sets of facts of each of which one must be asked."""
    distinct = {tuple(_known(state, number) for number in range(FACTS)) for state in possible}
    apart = {
        _facts(number for number in range(FACTS) if one[number] != other[number])
        for one, other in combinations(distinct, 2)
    }
    is_open = differing.union(*apart)
    hands = {cloud.hands, device.hands, *(state.hands for state in possible)}
    for piles in disputed:
        tops = _tops([piles])
        apart.add(tops & is_open or (frozenset({HANDS}) if len(hands) > 1 else tops))
    return apart


def _fewest(needs: set[frozenset[int]]) -> frozenset[int]:
    for size in range(FACTS + 1):
        for asked in combinations(range(FACTS), size):
            if all(need.intersection(asked) for need in needs):
                return frozenset(asked)
    return frozenset(range(FACTS))


def _facts(numbers: Iterable[int]) -> frozenset[int]:
    return frozenset(numbers)


def _tops(disputed: Sequence[tuple[str, ...]]) -> frozenset[int]:
    return _facts(NUMBERS[pile] for piles in disputed for pile in piles)


def _known(state: State, number: int) -> object:
    """All that is known about a fact, of an unknown top also what may lie there."""
    return (*state.piles, state.deck, state.hands)[number]


def _shown(state: State, number: int) -> Any:
    if number < DECK:
        return state.piles[number].top
    return state.deck if number == DECK else list(state.hands)


def _question(cloud: State, device: State, number: int) -> Question:
    fact: Literal["top", "deck", "hands"] = "top" if number < DECK else "deck" if number == DECK else "hands"
    pile = NAMES[number] if number < DECK else None
    return Question(fact, pile, _shown(cloud, number), _shown(device, number))
