"""Owns the play of one card: why it is refused, and the table after it."""

from services.rules.the_game.actions import Action
from services.rules.the_game.cards import is_card
from services.rules.the_game.inference import after_valueless, reach, without
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NUMBERS, RISING, Pile, topped
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.state import State


def refuse_play(options: Options, state: State, action: Action) -> Refusal | None:
    """Why this card may not be laid, or None; a play without a value is confirmed by people."""
    pile, card = action.pile, action.card
    if not isinstance(pile, str) or pile not in NUMBERS:
        return "pile_unknown"
    if card is not None and not is_card(card):
        return "card_out_of_range"
    if state.drawn:
        return "already_drawn"
    if not state.hands[state.seat]:
        return "hand_empty"
    number = NUMBERS[pile]
    if card is None:
        is_uncertain = True
        is_possible = after_valueless(RISING[number], state.piles[number].possible, state.entered) != 0
    else:
        laid = 1 << card
        if state.entered & laid:
            return "card_already_played"
        legal, uncertain = reach(RISING[number], state.piles[number].possible)
        is_uncertain = uncertain & laid != 0
        is_possible = is_uncertain or legal & laid != 0
    if not is_possible:
        return "illegal_play"
    if is_uncertain and not action.confirmed:
        return "confirmation_required"
    return None


def lay(options: Options, state: State, action: Action) -> State:
    """The table after an accepted play; the last of all cards clears it."""
    number, card = NUMBERS[action.pile], action.card
    entered, piles = state.entered, list(state.piles)
    if card is None:
        piles[number] = Pile(None, after_valueless(RISING[number], piles[number].possible, entered))
    else:
        entered |= 1 << card
        piles = [without(pile, card) for pile in piles]
        piles[number] = topped(card)
    seat = state.seat
    hands = (*state.hands[:seat], state.hands[seat] - 1, *state.hands[seat + 1 :])
    return State(
        status="playing" if state.deck or any(hands) else "cleared",
        drawn=state.drawn,
        turn=state.turn,
        seat=seat,
        hands=hands,
        deck=state.deck,
        minimum=state.minimum,
        laid=state.laid + 1,
        entered=entered,
        piles=tuple(piles),
    )
