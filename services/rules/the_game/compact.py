"""Owns the compact JSON form of a state, from which every answer continues; opaque to everyone else."""

from services.rules.malformed import Malformed
from services.rules.the_game.cards import ALL, COUNT, is_card
from services.rules.the_game.options import MINIMA, Options
from services.rules.the_game.piles import CEILING, FLOOR, RISING, Pile, topped, untouched
from services.rules.the_game.state import STATUSES, State

_LAST_TURN = 9_999
_LONGEST_SET = 26


def encode(state: State) -> list[object]:
    """JSON for `decode`: sets of cards in hexadecimal, since JSON numbers end at 64 bits."""
    return [
        STATUSES.index(state.status),
        int(state.drawn),
        state.turn,
        state.seat,
        list(state.hands),
        state.deck,
        state.minimum,
        state.laid,
        f"{state.entered:x}",
        [f"{pile.possible:x}" if pile.top is None else pile.top for pile in state.piles],
    ]


def decode(options: Options, value: object) -> State:
    """The state that was encoded under these options. Raises Malformed when it cannot have been."""
    if not isinstance(value, list) or len(value) != 10:
        raise _malformed()
    status, drawn, turn, seat, hands, deck, minimum, laid, entered, piles = value
    fits = (
        _is_count(status, len(STATUSES) - 1)
        and _is_count(drawn, 1)
        and _is_count(turn, _LAST_TURN)
        and _is_count(seat, options.players - 1)
        and isinstance(hands, list)
        and len(hands) == options.players
        and all(_is_count(hand, options.starting_hand) for hand in hands)
        and _is_count(deck, COUNT)
        and _is_count(minimum, max(MINIMA.values()))
        and _is_count(laid, options.starting_hand)
        and isinstance(piles, list)
        and len(piles) == len(RISING)
    )
    if not fits:
        raise _malformed()
    state = State(
        status=STATUSES[status],
        drawn=bool(drawn),
        turn=turn,
        seat=seat,
        hands=tuple(hands),
        deck=deck,
        minimum=minimum,
        laid=laid,
        entered=_read_set(entered, ALL),
        piles=tuple(map(_read_pile, RISING, piles)),
    )
    if state.remaining > COUNT - state.entered.bit_count():
        raise _malformed()
    return state


def _is_count(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _read_pile(rising: bool, value: object) -> Pile:
    if type(value) is int and (is_card(value) or value in (FLOOR, CEILING)):
        return topped(value)
    return Pile(None, _read_set(value, ALL | 1 << untouched(rising)))


def _read_set(value: object, within: int) -> int:
    if not isinstance(value, str) or len(value) > _LONGEST_SET:
        raise _malformed()
    try:
        cards = int(value, 16)
    except ValueError as error:
        raise _malformed() from error
    if cards != cards & within:
        raise _malformed()
    return cards


def _malformed() -> Malformed:
    return Malformed({"state": ["Not a state that was answered under these options."]})
