"""Owns what a merge can answer: settled with what it proved, or undecided with what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.the_game.actions import Action
from services.rules.the_game.branches import CLOSING_A_TURN, key
from services.rules.the_game.questions import Question
from services.rules.the_game.state import State


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two branches part: what each did there, None when it has nothing.

    `index` counts the effective actions that both share from the start of the game, `turn` from 1.
    """

    index: int
    turn: int
    seat: int
    cloud: Action | None
    device: Action | None


@dataclass(frozen=True, slots=True)
class Proof:
    """What was proved: plays since the common moment by who made them, and over how many turns."""

    plays_common: int
    plays_cloud_only: int
    plays_device_only: int
    turns: int


@dataclass(frozen=True, slots=True)
class Merged:
    """One story with every play of both branches exactly once: all its effective actions from the start.

    `is_clouds` and `is_devices` are true when it is that branch as it was: the other adds nothing.
    """

    story: tuple[Action, ...]
    state: State
    proof: Proof
    first_difference: Difference | None
    is_clouds: bool = False
    is_devices: bool = False


@dataclass(frozen=True, slots=True)
class Undecided:
    """What the table is asked; `agreed` is the story as far as both branches tell it.

    The proposal is the only legal order, where nothing but the order is open.
    """

    questions: tuple[Question, ...]
    proposal: Merged | None
    first_difference: Difference | None
    agreed: tuple[Action, ...]
    state: State


Finding = Merged | Undecided


def prove(since: int, merged: Sequence[Action], cloud: Sequence[Action], device: Sequence[Action]) -> Proof:
    """The counts of a merged story, leaving out the first `since` actions that all three share."""
    ours, theirs = ({key(play) for play in told[since:] if play.type == "play"} for told in (cloud, device))
    return Proof(
        plays_common=len(ours & theirs),
        plays_cloud_only=len(ours - theirs),
        plays_device_only=len(theirs - ours),
        turns=_turns(merged[since:]),
    )


def _turns(actions: Sequence[Action]) -> int:
    ended = sum(action.type in CLOSING_A_TURN for action in actions)
    return ended + (bool(actions) and actions[-1].type not in CLOSING_A_TURN)
