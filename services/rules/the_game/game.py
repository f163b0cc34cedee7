"""Owns how one action is judged on a state, and the state after it; undo and redo belong to the timeline."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.rules.the_game.actions import Action
from services.rules.the_game.adoption import adopt, refuse_adopt
from services.rules.the_game.blocks import declare, is_contradicted, refuse_block
from services.rules.the_game.moves import lay, refuse_play
from services.rules.the_game.options import Options
from services.rules.the_game.refusals import Refusal, Warning
from services.rules.the_game.results import confirm, refuse_confirm
from services.rules.the_game.state import State
from services.rules.the_game.turns import draw, end, refuse_draw, refuse_end


@dataclass(frozen=True, slots=True)
class Rule:
    """What one type of action means: why it is refused, and what it does."""

    refuse: Callable[[Options, State, Action], Refusal | None]
    apply: Callable[[Options, State, Action], State]


RULES: Mapping[str, Rule] = {
    "play": Rule(refuse_play, lay),
    "draw": Rule(refuse_draw, draw),
    "end_turn": Rule(refuse_end, end),
    "block": Rule(refuse_block, declare),
    "confirm": Rule(refuse_confirm, confirm),
}

ADOPT = Rule(refuse_adopt, adopt)


def refuse(options: Options, state: State, action: Action) -> Refusal | None:
    """Why this action is refused now, or None; the first reason in the order of the product's table."""
    if action.type == "adopt":
        return ADOPT.refuse(options, state, action)
    if state.status == "finished":
        return "game_over"
    if state.status != "playing" and action.type != "confirm":
        return "result_pending"
    return RULES[action.type].refuse(options, state, action)


def apply(options: Options, state: State, action: Action) -> State:
    """The state after an accepted action; it is not judged again."""
    if action.type == "adopt":
        return ADOPT.apply(options, state, action)
    return RULES[action.type].apply(options, state, action)


def warn(state: State, action: Action) -> list[Warning]:
    """What the group should know before it goes on from `state` with this accepted action."""
    return ["block_contradicted"] if action.type == "block" and is_contradicted(state) else []
