"""Owns what two tellings of one turn make together: the orders on each pile, and all orders across piles.

What is proved is the order on one pile. Across piles plays commute as far as the rules let them: an order
that both branches can have meant is kept to, and where they contradict each other every order is looked at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

from services.rules.the_game.actions import Action
from services.rules.the_game.branches import Turn, key
from services.rules.the_game.game import apply, refuse
from services.rules.the_game.options import Options
from services.rules.the_game.pile_orders import Key, Order, orders_on_a_pile, unordered
from services.rules.the_game.piles import NAMES
from services.rules.the_game.state import State

# ways to tell one turn that are looked at: with a card unknown, each of them has many orders across piles
MOST_WAYS = 128
MOST_WAYS_UNSEEN = 16

Orders = tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """What each branch has in turn `turn` of `seat` that no proof brings together, and the piles it is about.

    `is_order` is true when only the order of two known cards is open, not whether both were laid there.
    """

    turn: int
    seat: int
    cloud: Action | None
    device: Action | None
    piles: tuple[str, ...]
    is_order: bool = False


def arrange(cloud: Turn, device: Turn) -> tuple[list[Orders], list[Conflict]]:
    """Every way to have all plays of both on their piles, each order kept; none when that contradicts itself.

    None, too, when there are too many. Conflicts say what makes it more than one way, or which card lies on
    two piles.
    """
    twice = _on_two_piles(cloud, device)
    conflicts = [conflict(cloud, device, *pair) for pair in twice]
    arrangements: list[Orders] = []
    for places in product((0, 1), repeat=len(twice)):
        dropped = {key(pair[0]): pair[1 - place].pile for pair, place in zip(twice, places, strict=True)}
        piles = [_on(cloud, device, name, dropped) for name in NAMES]
        for ours, theirs in piles:
            found = [conflict(cloud, device, *gap) for gap in unordered(ours, theirs)]
            conflicts += [one for one in found if one not in conflicts]
        ways = product(*(list(orders_on_a_pile(ours, theirs)) for ours, theirs in piles))
        arrangements += islice(ways, MOST_WAYS + 1 - len(arrangements))
        if len(arrangements) > MOST_WAYS:
            return [], conflicts
    return arrangements, conflicts


def lay(options: Options, state: State, orders: Orders, cloud: Turn, device: Turn) -> dict[State, Order]:
    """Every state to which an order across piles leads, with the first such order; none if none is legal."""
    meant = _earlier(orders, cloud, device)
    return _every(options, state, orders, meant) or _every(options, state, orders, {})


def conflict(
    cloud: Turn, device: Turn, one: Action | None, other: Action | None, is_order: bool = False
) -> Conflict:
    """The conflict between what each branch did in this turn, None where it has nothing."""
    at = device if cloud.seat is None else cloud
    piles = {step.pile for step in (one, other) if step is not None and step.type == "play"}
    return Conflict(at.number, at.seat or 0, one, other, tuple(sorted(piles, key=NAMES.index)), is_order)


def _on_two_piles(cloud: Turn, device: Turn) -> list[tuple[Action, Action]]:
    theirs = {key(play): play for play in device.plays}
    pairs = [(play, theirs[key(play)]) for play in cloud.plays if key(play) in theirs]
    return sorted(
        (pair for pair in pairs if pair[0].pile != pair[1].pile), key=lambda pair: str(key(pair[0]))
    )


def _on(cloud: Turn, device: Turn, pile: str, dropped: dict[Key, str]) -> tuple[list[Action], list[Action]]:
    """What each has on one pile, without the claims that are dropped."""
    ours, theirs = (
        [play for play in turn.plays if play.pile == pile and dropped.get(key(play)) != pile]
        for turn in (cloud, device)
    )
    return ours, theirs


def _earlier(orders: Orders, *turns: Turn) -> dict[Key, set[Key]]:
    """For each play, those that either branch has before it, on whatever pile."""
    places = {key(play): play.pile for order in orders for play in order}
    earlier: dict[Key, set[Key]] = {}
    for turn in turns:
        seen: set[Key] = set()
        for play in turn.plays:
            if places.get(key(play)) == play.pile:
                earlier.setdefault(key(play), set()).update(seen)
                seen.add(key(play))
    return earlier


def _every(
    options: Options, state: State, orders: Orders, earlier: dict[Key, set[Key]]
) -> dict[State, Order]:
    """Walk all orders at once, by how many plays lie on each pile.

    With every card known no order makes a difference to another pile: then one is enough.
    """
    is_known = are_all_known(state, orders)
    reached: dict[tuple[int, ...], dict[State, Order]] = {(0,) * len(orders): {state: ()}}
    for _ in range(sum(map(len, orders))):
        following: dict[tuple[int, ...], dict[State, Order]] = {}
        for place, tellings in reached.items():
            for number, play in _next(orders, place, earlier):
                beyond = (*place[:number], place[number] + 1, *place[number + 1 :])
                for before, path in tellings.items():
                    if refuse(options, before, play) is None:
                        after = apply(options, before, play)
                        following.setdefault(beyond, {}).setdefault(after, (*path, play))
                if is_known:
                    break
        reached = following
    return next(iter(reached.values()), {})


def _next(
    orders: Orders, place: tuple[int, ...], earlier: dict[Key, set[Key]]
) -> Iterator[tuple[int, Action]]:
    laid = {key(play) for order, count in zip(orders, place, strict=True) for play in order[:count]}
    for number, (order, count) in enumerate(zip(orders, place, strict=True)):
        if count < len(order) and earlier.get(key(order[count]), set()) <= laid:
            yield number, order[count]


def are_all_known(state: State, orders: Sequence[Order]) -> bool:
    """True when every card on top and every card played is known."""
    tops = all(pile.top is not None for pile in state.piles)
    return tops and all(play.card is not None for order in orders for play in order)
