"""Owns the story of a game: the effective actions that tell, from the start, how the table came about.

It knows plays, draws, ends of turns, blocks, confirmations and adopted tables: what was undone is not in it,
a card named later is in its play, and an entry that tells the game anew is replaced by what it tells.
"""

from collections.abc import Iterable, Iterator, Sequence

from services.rules.the_game import game
from services.rules.the_game.actions import Action
from services.rules.the_game.adoption import impossible, shown
from services.rules.the_game.cards import is_card
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NUMBERS
from services.rules.the_game.state import State
from services.rules.the_game.timeline import Moment


def chain(moment: Moment) -> Iterator[tuple[Moment, Action]]:
    """The moments of the story with the action that led to each, the newest first; without the start."""
    while True:
        moment = plain(moment)
        if moment.action is None or moment.before is None:
            return
        yield moment, moment.action
        moment = moment.before


def plain(moment: Moment) -> Moment:
    """The moment itself, or the one that tells it."""
    while moment.told is not None:
        moment = moment.told
    return moment


def story(moment: Moment) -> list[Action]:
    """The effective actions up to this moment, in order."""
    return [action for _, action in chain(moment)][::-1]


def fold(options: Options, moment: Moment, actions: Iterable[Action]) -> Moment:
    """The moment after actions that were accepted here. Raises LookupError at one that cannot have been."""
    for action in actions:
        if not could_be_accepted(options, moment.state, action):
            raise LookupError("not an action that was accepted here")
        moment = Moment(game.apply(options, moment.state, action), action, moment)
    return moment


def could_be_accepted(options: Options, state: State, action: Action) -> bool:
    """False for what cannot even be applied: a pile or card that does not exist, an impossible table."""
    if action.type == "play":
        pile, card = action.pile, action.card
        return isinstance(pile, str) and pile in NUMBERS and (card is None or is_card(card))
    return action.type != "adopt" or not impossible(options, state, shown(action))


def is_same(one: Action, other: Action) -> bool:
    """True when two entries tell one thing: a card lies on one pile once, whoever entered it.

    A play without value is only ever the same as the one with its id, also once that one was named.
    """
    if one.type != other.type:
        return False
    has_same_id = one.id is not None and one.id == other.id
    if one.type == "adopt":
        return has_same_id or shown(one) == shown(other)
    if one.type != "play":
        return True
    if one.card is None or other.card is None:
        return one.pile == other.pile and has_same_id
    return bool(one.pile == other.pile and one.card == other.card)


def shared_beginning(one: Sequence[Action], other: Sequence[Action]) -> int:
    """How many actions two stories share from the start."""
    shared = 0
    for first, second in zip(one, other, strict=False):
        if not is_same(first, second):
            break
        shared += 1
    return shared
