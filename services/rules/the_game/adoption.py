"""Owns taking over what the table shows: when that cannot be, and the table of the turn that it starts."""

from collections.abc import Mapping
from typing import Any

from services.rules.the_game.actions import Action
from services.rules.the_game.cards import ALL, COUNT, is_card
from services.rules.the_game.inference import without
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES, RISING, Pile, topped, untouched
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.state import State

Errors = dict[str, Any]

_FIELDS = ("piles", "deck", "hands", "active_seat")


def refuse_adopt(options: Options, state: State, action: Action) -> Refusal | None:
    """Why the table shown cannot be, or None; it may be shown at any time, also to correct a result."""
    return "table_impossible" if impossible(options, state, shown(action)) else None


def shown(action: Action) -> Any:
    """The table that an adopting action brings, as JSON."""
    return action.whole.table if action.whole else None


def impossible(options: Options, state: State, table: Any) -> Errors:
    """What cannot be about a table, by field; empty when it can. What the log proves is not up for debate."""
    if not isinstance(table, Mapping):
        return {"table": ["Not an object."]}
    errors: Errors = {name: ["Unknown field."] for name in table if name not in _FIELDS}
    errors |= {name: ["Missing data for required field."] for name in _FIELDS if name not in table}
    if errors:
        return errors
    if found := _about_piles(state, table["piles"]):
        errors["piles"] = found
    if found := _about_hands(options, table["hands"]):
        errors["hands"] = found
    if found := _about_deck(options, table["deck"]):
        errors["deck"] = found
    return errors or _about_counts(options, state, table)


def adopt(options: Options, state: State, action: Action) -> State:
    """The table at the start of the given seat's turn: known cards stay known, the rest is as it is shown."""
    table = shown(action)
    tops = [table["piles"][name] for name in NAMES]
    cards = [top for top in tops if is_card(top)]
    entered = state.entered
    for card in cards:
        entered |= 1 << card
    hands, deck = tuple(table["hands"]), table["deck"]
    return State(
        status="playing" if deck or any(hands) else "cleared",
        drawn=False,
        turn=state.turn + 1,
        seat=table["active_seat"],
        hands=hands,
        deck=deck,
        minimum=options.minimum(deck),
        laid=0,
        entered=entered,
        piles=tuple(
            _unread(rising, pile, state.entered, cards) if top is None else topped(top)
            for rising, pile, top in zip(RISING, state.piles, tops, strict=True)
        ),
    )


def _unread(rising: bool, pile: Pile, entered: int, elsewhere: list[int]) -> Pile:
    """Any card not known to lie elsewhere: the top that was known may still be there, or no card at all."""
    own = 1 << pile.top if pile.top is not None else pile.possible & 1 << untouched(rising)
    unread = Pile(None, ALL & ~entered | own)
    for card in elsewhere:
        unread = without(unread, card)
    return unread


def _about_piles(state: State, piles: Any) -> Errors | list[str]:
    if not isinstance(piles, Mapping):
        return ["Not an object."]
    errors: Errors = {str(name): ["No such pile."] for name in piles if name not in NAMES}
    seen: set[int] = set()
    for name, rising, pile in zip(NAMES, RISING, state.piles, strict=True):
        if name not in piles:
            errors[name] = ["Missing data for required field."]
        elif piles[name] is not None and (wrong := _about_pile(state, rising, pile, piles[name], seen)):
            errors[name] = [wrong]
    return errors


def _about_pile(state: State, rising: bool, pile: Pile, top: Any, seen: set[int]) -> str | None:
    if type(top) is int and top == untouched(rising):
        return None if pile.possible >> top & 1 else "Cards have been laid here."
    if not is_card(top):
        return "Must be a card from 2 to 99, null, or what an untouched pile shows."
    if top in seen:
        return "This card lies on another pile too."
    seen.add(top)
    if state.entered >> top & 1 and pile.top != top:
        return "This card is known to lie elsewhere."
    return None


def _about_hands(options: Options, hands: Any) -> list[str]:
    if not isinstance(hands, list) or len(hands) != options.players:
        return ["Must be one count for each seat."]
    if not all(_is_count(hand, options.starting_hand) for hand in hands):
        return [f"Must be counts from 0 to {options.starting_hand}."]
    return []


def _about_deck(options: Options, deck: Any) -> list[str]:
    most = COUNT - options.players * options.starting_hand
    return [] if _is_count(deck, most) else [f"Must be a count from 0 to {most}."]


def _about_counts(options: Options, state: State, table: Mapping[str, Any]) -> Errors:
    """What cannot be about fields that are each well-formed."""
    errors: Errors = {}
    hands, deck, seat = table["hands"], table["deck"], table["active_seat"]
    if not _is_count(seat, options.players - 1):
        errors["active_seat"] = ["Must be the seat of a player."]
    elif any(hands) and not hands[seat]:
        errors["active_seat"] = ["Must be a seat that holds cards."]
    if deck and not any(hands):
        errors["hands"] = ["Cannot all be empty while the deck has cards."]
    known = state.entered
    for top in table["piles"].values():
        known |= 1 << top if is_card(top) else 0
    if COUNT - deck - sum(hands) < known.bit_count():
        errors["deck"] = [f"Deck and hands must leave room for {known.bit_count()} cards known to be out."]
    return errors


def _is_count(value: object, most: int) -> bool:
    return type(value) is int and 0 <= value <= most
