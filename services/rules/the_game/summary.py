"""Owns the summary of a finished game: how it went, from its effective story and its last table."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from services.rules.the_game.actions import Action
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES, NUMBERS, RISING, STEP_BACK
from services.rules.the_game.results import result
from services.rules.the_game.state import State
from services.rules.the_game.story import chain, plain
from services.rules.the_game.timeline import Moment


@dataclass(frozen=True, slots=True)
class Summary:
    """What is counted of a finished game; nothing that was undone is in it, and no card of a hand.

    A turn counts when a card was laid in it or when the block that ended the game was declared in it:
    `plays_per_turn` has one number of cards for each, in order, 0 only for such a block. `back_tens` counts
    the steps of ten back by pile, `largest_jump` is the largest distance of a card from the card below it
    that was no step of ten back; 1 and 100 on untouched piles are such cards below. Both leave out where one
    of the two cards is not known by value. `hands` has the cards left by seat, `blocked_by` the seat that
    declared the block, None when all cards were out.

    After an adopted table only what the log proves is counted: the plays that were entered, before it and
    after it. What was laid unseen is in no turn, so the plays are then fewer than 98 less `remaining` (or
    more, where the table took back what had been entered without a value). It starts a turn of its own, the
    tops that it shows are known to the next play, and a block before it ended nothing.
    """

    players: int
    difficulty: str
    reduced_hand: bool
    first_seat: int
    outcome: str
    remaining: int
    rating: str
    turns: int
    plays_per_turn: tuple[int, ...]
    back_tens: Mapping[str, int]
    largest_jump: int | None
    control: str
    deck: int
    hands: tuple[int, ...]
    blocked_by: int | None

    def as_json(self) -> dict[str, Any]:
        """The fields by name, tuples as lists."""
        return asdict(self) | {"plays_per_turn": [*self.plays_per_turn], "hands": [*self.hands]}


def summary(options: Options, moment: Moment) -> Summary | None:
    """The summary of the game whose story leads to `moment`, or None while it has no confirmed result.

    None also where the moment has no past, as one that goes on from a bare state.
    """
    moment = plain(moment)
    reached = result(moment.state)
    if reached is None or moment.before is None:
        return None
    ended, state = moment.before.state, moment.state
    is_blocked = ended.status == "blocked"
    plays = _plays(moment)
    plays_per_turn = Counter(before.turn for before, _ in plays)
    if is_blocked:
        plays_per_turn.setdefault(ended.turn, 0)
    steps = [step for before, play in plays if (step := _step(before, play)) is not None]
    back = Counter(pile for pile, step in steps if step == -STEP_BACK)
    return Summary(
        **asdict(options),
        **asdict(reached),
        turns=len(plays_per_turn),
        plays_per_turn=tuple(plays_per_turn.values()),
        back_tens={pile: back[pile] for pile in NAMES},
        largest_jump=max((abs(step) for _, step in steps if step != -STEP_BACK), default=None),
        control=state.control,
        deck=state.deck,
        hands=state.hands,
        blocked_by=ended.seat if is_blocked else None,
    )


def _plays(moment: Moment) -> list[tuple[State, Action]]:
    """The plays of the story, each with the state before it, in order."""
    return [
        (after.before.state, action)
        for after, action in chain(moment)
        if action.type == "play" and after.before is not None
    ][::-1]


def _step(before: State, play: Action) -> tuple[str, int] | None:
    """The pile, and how far the card moved it onward; None unless both cards are known."""
    number = NUMBERS[play.pile]
    top = before.piles[number].top
    if top is None or play.card is None:
        return None
    return NAMES[number], play.card - top if RISING[number] else top - play.card
