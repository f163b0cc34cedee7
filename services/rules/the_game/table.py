"""Owns the public table: what everyone may see of a state, and which cards may be laid where."""

from typing import Any

from services.rules.the_game.cards import ALL, listed
from services.rules.the_game.inference import reach
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES, RISING, Pile
from services.rules.the_game.state import State
from services.rules.the_game.turns import to_draw

Table = dict[str, Any]


def table(options: Options, state: State) -> Table:
    """The table as clients get it; hands are counts by seat, cards are sorted."""
    candidates = ALL & ~state.entered if state.may_play else 0
    return {
        "status": state.status,
        "phase": "drawn" if state.drawn else "play",
        "turn": state.turn,
        "active_seat": state.seat,
        "hands": list(state.hands),
        "deck": state.deck,
        "minimum": state.minimum,
        "played_this_turn": state.laid,
        "to_draw": to_draw(options, state) if state.status == "playing" else 0,
        "remaining": state.remaining,
        "control": state.control,
        "piles": {
            name: _pile(rising, pile, candidates)
            for name, rising, pile in zip(NAMES, RISING, state.piles, strict=True)
        },
        "played": listed(state.entered),
    }


def _pile(rising: bool, pile: Pile, candidates: int) -> dict[str, Any]:
    legal, uncertain = reach(rising, pile.possible)
    return {
        "direction": "up" if rising else "down",
        "top": pile.top,
        "playable": listed(legal & candidates),
        "uncertain": listed(uncertain & candidates),
    }
