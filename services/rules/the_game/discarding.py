"""Owns what is lost when one of two stories is kept: what only the other one tells."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.the_game.actions import Action
from services.rules.the_game.story import is_same, shared_beginning


@dataclass(frozen=True, slots=True)
class Discarded:
    """How many actions, and of them the plays: cards by pile in the order laid, the rest counted."""

    count: int
    cards: dict[str, tuple[int, ...]]
    unknown: int


def discarded(kept: Sequence[Action], lost: Sequence[Action]) -> Discarded:
    """What of the story `lost` is not in the story `kept`.

    A card on the same pile is the same play; of what is not a play, only how often it happened tells.
    """
    since = shared_beginning(kept, lost)
    alone = _alone(kept[since:], lost[since:])
    cards: dict[str, tuple[int, ...]] = {}
    for play in (action for action in alone if action.type == "play" and action.card is not None):
        cards[play.pile] = (*cards.get(play.pile, ()), play.card)
    unknown = sum(action.type == "play" and action.card is None for action in alone)
    return Discarded(len(alone), cards, unknown)


def _alone(kept: Sequence[Action], lost: Sequence[Action]) -> list[Action]:
    plays = [action for action in kept if action.type == "play"]
    others = Counter(action.type for action in kept if action.type != "play")
    alone = []
    for action in lost:
        if action.type == "play":
            is_kept = any(is_same(action, play) for play in plays)
        else:
            others[action.type] -= 1
            is_kept = others[action.type] >= 0
        if not is_kept:
            alone.append(action)
    return alone
