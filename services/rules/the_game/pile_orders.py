"""Owns the orders that the plays of two branches can have on one pile, in one turn."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from services.rules.the_game.actions import Action
from services.rules.the_game.branches import key

Order = tuple[Action, ...]
Key = int | str | None


def one_of(cloud: Action, device: Action) -> Action:
    """One action for the same one in both; people have confirmed it when they have on one device."""
    return replace(cloud, confirmed=cloud.confirmed or device.confirmed)


def _gaps(ours: list[Action], theirs: list[Action]) -> list[tuple[list[Action], list[Action]]] | None:
    """What each has before, between and after the plays that both have; each gap ends with a shared play.

    None when they have them in different order.
    """
    shared = {key(play) for play in ours} & {key(play) for play in theirs}
    ends = [key(play) for play in ours if key(play) in shared]
    if ends != [key(play) for play in theirs if key(play) in shared]:
        return None
    return list(zip(_cut(ours, shared), _cut(theirs, shared), strict=True))


def _cut(plays: list[Action], shared: set[Key]) -> list[list[Action]]:
    gaps: list[list[Action]] = [[]]
    for play in plays:
        gaps[-1].append(play)
        if key(play) in shared:
            gaps.append([])
    return gaps


def orders_on_a_pile(ours: list[Action], theirs: list[Action]) -> Iterator[Order]:
    """Every order that extends both; none when they contradict each other."""
    gaps = _gaps(ours, theirs)
    if gaps is None:
        return
    ways = []
    for number, (one, other) in enumerate(gaps):
        if number < len(gaps) - 1:
            end = (one_of(one[-1], other[-1]),)
            ways.append([way + end for way in _shuffles(tuple(one[:-1]), tuple(other[:-1]))])
        else:
            ways.append(list(_shuffles(tuple(one), tuple(other))))
    for parts in product(*ways):
        yield tuple(play for part in parts for play in part)


def _shuffles(one: Order, other: Order) -> Iterator[Order]:
    """Every order that keeps both: of cards that nobody saw too, for each was laid after others elsewhere."""
    if not one or not other:
        yield one + other
        return
    for rest in _shuffles(one[1:], other):
        yield (one[0], *rest)
    for rest in _shuffles(one, other[1:]):
        yield (other[0], *rest)


def unordered(ours: list[Action], theirs: list[Action]) -> list[tuple[Action, Action, bool]]:
    """The first plays of each gap in which both have others, and whether only their order is open."""
    gaps = _gaps(ours, theirs)
    if gaps is None:
        return []
    open_gaps = [*((one[:-1], other[:-1]) for one, other in gaps[:-1]), gaps[-1]]
    return [
        (one[0], other[0], all(play.card is not None for play in (*one, *other)))
        for one, other in open_gaps
        if one and other
    ]
