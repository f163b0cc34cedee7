"""Owns the telling of two branches as one, turn by turn, as far as the rules and both branches allow."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.rules.the_game.actions import Action
from services.rules.the_game.branches import Turn, key, split
from services.rules.the_game.game import apply, refuse
from services.rules.the_game.options import Options
from services.rules.the_game.pile_orders import one_of
from services.rules.the_game.state import State
from services.rules.the_game.story import is_same
from services.rules.the_game.weaving import (
    MOST_WAYS,
    MOST_WAYS_UNSEEN,
    Conflict,
    Orders,
    are_all_known,
    arrange,
    conflict,
    lay,
)

Choice = tuple[int, ...]
Tales = Mapping[tuple[Choice, State], tuple[Action, ...]]


@dataclass(frozen=True, slots=True)
class Telling:
    """All that may have happened: actions by the orders chosen on piles and the state that they lead to.

    `agreed` are the actions of the first turns, as long as both branches have all of them.
    """

    tales: Tales
    conflicts: tuple[Conflict, ...]
    agreed: tuple[Action, ...]

    @property
    def is_proved(self) -> bool:
        """True when nothing is in conflict and every order leads to one and the same state."""
        return not self.conflicts and len(self.tales) == 1

    @property
    def is_one_order(self) -> bool:
        """True when only the order of known cards is in conflict, and exactly one is legal."""
        return len(self.tales) == 1 and all(found.is_order for found in self.conflicts)


def tell(options: Options, state: State, cloud: Sequence[Action], device: Sequence[Action]) -> Telling:
    """Tell accepted actions of two branches after `state` together; no tale when it cannot be done.

    Each play of both is told once, turns are those of both, every draw has the count and every confirmed
    result the cards left that the branches have.
    """
    ours, theirs = split(options, state, cloud), split(options, state, device)
    astray = _in_other_turn(ours, theirs)
    tales: Tales = {((), state): ()}
    conflicts: list[Conflict] = []
    agreed: tuple[Action, ...] = ()
    is_agreed = True
    for number in range(max(len(ours), len(theirs))):
        one, other = _at(ours, number), _at(theirs, number)
        arrangements: list[Orders] = []
        if number not in astray and _may_be_one(one, other, max(at.hands[at.seat] for _, at in tales)):
            arrangements, found = arrange(one, other)
            conflicts += found
        tales = _go_on(options, tales, one, other, arrangements)
        if not tales:
            conflicts = conflicts or [conflict(one, other, *(astray.get(number) or _parting(one, other)))]
            return Telling({}, tuple(conflicts), agreed)
        is_agreed = is_agreed and not conflicts and len(tales) == 1 and _are_equal(one, other)
        if is_agreed:
            (agreed,) = tales.values()
    return Telling(tales, tuple(conflicts), agreed)


def _at(turns: Sequence[Turn], number: int) -> Turn:
    return turns[number] if number < len(turns) else Turn()


def _in_other_turn(cloud: Sequence[Turn], device: Sequence[Turn]) -> dict[int, tuple[Action, Action]]:
    """Plays of both that are not in the same turn of both, by the number of the earlier turn."""
    ours, theirs = (
        {key(play): (number, play) for number, turn in enumerate(turns) for play in turn.plays}
        for turns in (cloud, device)
    )
    astray: dict[int, tuple[Action, Action]] = {}
    for shared in sorted(ours.keys() & theirs.keys(), key=str):
        (number, play), (there, other) = ours[shared], theirs[shared]
        if there != number:
            astray.setdefault(min(number, there), (play, other))
    return astray


def _may_be_one(cloud: Turn, device: Turn, hand: int) -> bool:
    """False when what closes the turn differs, when the hand is too small for all plays of both, or when a
    table was adopted that shows nothing of what the other branch played before it.
    """
    if not all(is_same(one, other) for one, other in zip(cloud.closing, device.closing, strict=False)):
        return False
    ours, theirs = ({key(play) for play in turn.plays} for turn in (cloud, device))
    if len(ours | theirs) > hand:
        return False
    adopts = [any(step.type == "adopt" for step in turn.closing) for turn in (cloud, device)]
    if adopts[0] != adopts[1]:
        return theirs <= ours if adopts[0] else ours <= theirs
    return True


def _go_on(
    options: Options, tales: Tales, cloud: Turn, device: Turn, arrangements: Sequence[Orders]
) -> Tales:
    """The tales after one more turn, with every arrangement that is legal; none when they are too many."""
    following: dict[tuple[Choice, State], tuple[Action, ...]] = {}
    is_known = all(are_all_known(state, orders) for _, state in tales for orders in arrangements[:1])
    if len(tales) * len(arrangements) > (MOST_WAYS if is_known else MOST_WAYS_UNSEEN):
        return following
    for (choice, state), told in tales.items():
        if any(turn.seat not in (None, state.seat) for turn in (cloud, device)):
            continue
        for number, orders in enumerate(arrangements):
            chosen = choice if len(arrangements) == 1 else (*choice, number)
            for laid, plays in lay(options, state, orders, cloud, device).items():
                for closed, closing in _closed(options, laid, cloud, device):
                    following.setdefault((chosen, closed), told + plays + closing)
    return following


def _closed(
    options: Options, state: State, cloud: Turn, device: Turn
) -> Iterator[tuple[State, tuple[Action, ...]]]:
    """The state after what closes the turn in either branch, or nothing where it does not fit."""
    shared = tuple(map(one_of, cloud.closing, device.closing))
    closing = shared + cloud.closing[len(shared) :] + device.closing[len(shared) :]
    for action in closing:
        if refuse(options, state, action) is not None:
            return
        after = apply(options, state, action)
        if action.type == "draw" and not _counts(state.deck - after.deck, cloud.drawn, device.drawn):
            return
        if action.type == "confirm" and not _counts(after.remaining, cloud.remaining, device.remaining):
            return
        state = after
    yield state, closing


def _counts(count: int, *recorded: int | None) -> bool:
    return all(there in (None, count) for there in recorded)


def _are_equal(cloud: Turn, device: Turn) -> bool:
    ours, theirs = ({(key(play), play.pile) for play in turn.plays} for turn in (cloud, device))
    return ours == theirs and len(cloud.closing) == len(device.closing)


def _parting(cloud: Turn, device: Turn) -> tuple[Action | None, Action | None]:
    """The first that each branch has alone in this turn, or how it closed the turn."""
    one = _alone(cloud, device)
    other = _alone(device, cloud)
    if one is None and other is None:
        pairs = zip(cloud.actions, device.actions, strict=False)
        one, other = next((pair for pair in pairs if not is_same(*pair)), (None, None))
    return one, other


def _alone(turn: Turn, other: Turn) -> Action | None:
    for action in turn.actions:
        if not any(is_same(action, there) for there in other.actions):
            return action
    return None
