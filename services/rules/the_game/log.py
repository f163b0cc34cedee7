"""Owns the reading of a log: accepted actions in order, undo and redo too, applied and not judged again."""

from collections.abc import Sequence

from services.rules.malformed import Malformed
from services.rules.the_game.actions import Action
from services.rules.the_game.cards import is_card
from services.rules.the_game.judgement import advance
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NUMBERS
from services.rules.the_game.state import start
from services.rules.the_game.timeline import Moment, Timeline


def replay(options: Options, log: Sequence[Action]) -> Timeline:
    """The timeline at the end of a log. Raises Malformed at an action that was never accepted."""
    timeline = Timeline(Moment(start(options)))
    for index, action in enumerate(log):
        if action.type == "play" and not _was_laid(action):
            raise _malformed(index)
        try:
            timeline = advance(options, timeline, action)
        except LookupError as error:
            raise _malformed(index) from error
    return timeline


def _was_laid(action: Action) -> bool:
    pile, card = action.pile, action.card
    return isinstance(pile, str) and pile in NUMBERS and (card is None or is_card(card))


def _malformed(index: int) -> Malformed:
    return Malformed({"log": {str(index): ["Not an action that was accepted here."]}})
