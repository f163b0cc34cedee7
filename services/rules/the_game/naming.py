"""Owns the naming of a card that was laid without its value: the story is told as if it had been known."""

from dataclasses import replace

from services.rules.the_game import game
from services.rules.the_game.actions import Action
from services.rules.the_game.cards import is_card
from services.rules.the_game.options import Options
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.story import chain, fold
from services.rules.the_game.timeline import Moment


def refuse_identify(options: Options, now: Moment, action: Action) -> Refusal | None:
    """Why this card may not be named now, or None."""
    if now.state.status == "finished":
        return "game_over"
    if now.state.status != "playing":
        return "result_pending"
    if _find(now, action) is None:
        return "target_not_valueless"
    if not is_card(action.card):
        return "card_out_of_range"
    if now.state.entered >> action.card & 1:
        return "card_already_played"
    return "illegal_play" if misfits(options, now, action) else None


def misfits(options: Options, now: Moment, action: Action) -> list[str | None]:
    """The ids of the entries that would not have been accepted with the card named, the play itself included.

    Raises LookupError when there is no such play without a value.
    """
    before, actions = _told(now, action)
    state = before.state
    found = []
    for step in actions:
        if game.refuse(options, state, step) is not None:
            found.append(step.id)
        state = game.apply(options, state, step)
    return found


def named(options: Options, now: Moment, action: Action) -> Moment:
    """The last moment of the story as it is with the card named. Raises LookupError as `misfits` does."""
    if not is_card(action.card):
        raise LookupError("not a card")
    before, actions = _told(now, action)
    return fold(options, before, actions)


def _told(now: Moment, action: Action) -> tuple[Moment, list[Action]]:
    """The moment before the play, and the story from the play on with its card named."""
    found = _find(now, action)
    if found is None:
        raise LookupError("not a play without a value")
    return found


def _find(now: Moment, action: Action) -> tuple[Moment, list[Action]] | None:
    later: list[Action] = []
    for moment, step in chain(now):
        if step.type == "play" and action.target is not None and step.id == action.target:
            if step.card is not None or moment.before is None:
                return None
            return moment.before, [replace(step, card=action.card), *reversed(later)]
        later.append(step)
    return None
