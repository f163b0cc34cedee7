"""Owns random play for property tests: the wishes that Hypothesis draws, and the action each means."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.support.api import Json, action, play
from tests.support.moves import PILES, bring_back, take_back

Wish = tuple[Any, ...]
_PILE = st.sampled_from(PILES)

# Mostly what is legal, so that games get somewhere; every kind of action and of refusal is among them.
WISHES: st.SearchStrategy[Wish] = st.one_of(
    *[st.tuples(st.just("lay"), st.integers(0, 40))] * 4,
    *[st.tuples(st.just("turn"))] * 3,
    st.tuples(st.just("card"), _PILE, st.integers(1, 100), st.booleans()),
    st.tuples(st.just("blank"), _PILE, st.booleans()),
    st.tuples(st.just("odd"), st.sampled_from([7.0, "7", True, [], {}, 0, 10**18])),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("stale"), st.sampled_from(["undo", "redo"])),
    st.tuples(st.just("again"), st.integers(0, 40)),
    st.tuples(st.sampled_from(["draw", "end_turn", "block", "confirm"])),
)


def meant(wish: Wish, game: Json, earlier: Sequence[Json]) -> Json:
    """The action that `wish` means now; `earlier` are those sent before, accepted or not."""
    match wish:
        case ("lay", number) if offers := _offers(game):
            pile, card = offers[number % len(offers)]
            return play(pile, card)
        case ("lay", _) | ("turn",):
            return _turn(game)
        case ("card", pile, card, confirmed):
            return play(pile, card, **({"confirmed": True} if confirmed else {}))
        case ("blank", pile, confirmed):
            return play(pile, confirmed=confirmed)
        case ("odd", card):
            return action("play", pile="up1", card=card)
        case ("undo",):
            return take_back(game)
        case ("redo",):
            return bring_back(game)
        case ("stale", kind):
            return action(kind, target="not the last one")
        case ("again", number):
            return earlier[number % len(earlier)] if earlier else action("draw")
        case (kind,):
            return action(kind)
    raise ValueError(wish)


def _turn(game: Json) -> Json:
    """What leads to the end of the turn or of the game."""
    table = game["table"]
    if table["status"] in ("blocked", "cleared"):
        return action("confirm")
    if table["phase"] == "play" and table["played_this_turn"] < table["minimum"]:
        offers = _offers(game)
        return play(*offers[0]) if offers else action("block")
    return action("draw" if table["phase"] == "play" and table["to_draw"] else "end_turn")


def _offers(game: Json) -> list[tuple[str, int]]:
    return [(name, card) for name, pile in game["table"]["piles"].items() for card in pile["playable"]]
