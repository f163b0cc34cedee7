"""Owns the end of a turn: the draw, and whose turn comes next."""

from dataclasses import replace

from services.rules.the_game.actions import Action
from services.rules.the_game.options import Options
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.state import State


def to_draw(options: Options, state: State) -> int:
    """Cards that the active player would draw now: up to a full hand, or what the deck still has."""
    return min(state.deck, options.starting_hand - state.hands[state.seat])


def refuse_draw(options: Options, state: State, action: Action) -> Refusal | None:
    """Why the active player may not draw, or None."""
    if state.drawn:
        return "already_drawn"
    if state.laid < state.minimum:
        return "minimum_not_played"
    if not to_draw(options, state):
        return "nothing_to_draw"
    return None


def draw(options: Options, state: State, action: Action) -> State:
    """The table after the confirmed draw."""
    seat, count = state.seat, to_draw(options, state)
    hands = (*state.hands[:seat], state.hands[seat] + count, *state.hands[seat + 1 :])
    return replace(state, drawn=True, hands=hands, deck=state.deck - count)


def refuse_end(options: Options, state: State, action: Action) -> Refusal | None:
    """Why the turn may not end, or None."""
    if state.laid < state.minimum:
        return "minimum_not_played"
    if not state.drawn and to_draw(options, state):
        return "draw_required"
    return None


def end(options: Options, state: State, action: Action) -> State:
    """The table at the start of the next turn, whose minimum is fixed here."""
    return replace(
        state,
        drawn=False,
        turn=state.turn + 1,
        seat=_next_seat(state),
        minimum=options.minimum(state.deck),
        laid=0,
    )


def _next_seat(state: State) -> int:
    """The next seat clockwise that holds cards; a player who alone holds cards keeps taking turns."""
    seats = len(state.hands)
    clockwise = (*range(state.seat + 1, seats), *range(state.seat + 1))
    return next((seat for seat in clockwise if state.hands[seat]), state.seat)
