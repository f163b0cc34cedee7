"""Owns one branch as merging sees it: its turns, each with what was played and with what closed it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from services.rules.the_game.actions import Action
from services.rules.the_game.game import apply
from services.rules.the_game.options import Options
from services.rules.the_game.state import State

CLOSING_A_TURN = frozenset({"end_turn", "adopt"})


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, or the rest of one: plays in order, and what follows them (draw, end, block, confirm, adopt).

    `seat` had turn `number`, None when the branch never got there; `drawn` and `remaining` count cards at the
    draw and at the confirmation, None without.
    """

    number: int = 0
    seat: int | None = None
    plays: tuple[Action, ...] = ()
    closing: tuple[Action, ...] = ()
    drawn: int | None = None
    remaining: int | None = None

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that was recorded in this turn, in order."""
        return self.plays + self.closing


def split(options: Options, state: State, actions: Sequence[Action]) -> list[Turn]:
    """The turns of accepted actions from `state` on; the last one may still be open."""
    turns: list[Turn] = []
    is_open = False
    for action in actions:
        if not is_open:
            turns.append(Turn(state.turn, state.seat))
        after = apply(options, state, action)
        turns[-1] = _with(turns[-1], action, state, after)
        is_open = action.type not in CLOSING_A_TURN
        state = after
    return turns


def _with(turn: Turn, action: Action, before: State, after: State) -> Turn:
    if action.type == "play":
        return replace(turn, plays=(*turn.plays, action))
    turn = replace(turn, closing=(*turn.closing, action))
    if action.type == "draw":
        return replace(turn, drawn=before.deck - after.deck)
    return replace(turn, remaining=after.remaining) if action.type == "confirm" else turn


def names(actions: Sequence[Action]) -> dict[str, int]:
    """The card of each play with a value, by the id of the play."""
    return {
        action.id: action.card
        for action in actions
        if action.type == "play" and action.card is not None and action.id is not None
    }


def with_names(actions: Sequence[Action], known: Mapping[str, int]) -> list[Action]:
    """The same actions, where plays without a value have the one that the other branch named."""
    return [
        replace(action, card=known[action.id])
        if action.type == "play" and action.card is None and action.id is not None and action.id in known
        else action
        for action in actions
    ]


def key(play: Action) -> int | str | None:
    """What two branches know a play by: its card, or without one only its id."""
    card: int | None = play.card
    return play.id if card is None else card


def are_named_differently(cloud: Sequence[Action], device: Sequence[Action]) -> bool:
    """True when both know the card of one play, and not the same one."""
    theirs = names(device)
    return any(theirs.get(play, card) != card for play, card in names(cloud).items())
