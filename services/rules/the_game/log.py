"""Owns the reading of a log: accepted actions in order, undo and redo too, applied and not judged again."""

from collections.abc import Iterator, Sequence

from services.rules.malformed import Malformed
from services.rules.the_game.actions import Action
from services.rules.the_game.judgement import advance
from services.rules.the_game.options import Options
from services.rules.the_game.state import State, start
from services.rules.the_game.story import could_be_accepted, story
from services.rules.the_game.timeline import Moment, Timeline


def replay(options: Options, log: Sequence[Action]) -> Timeline:
    """The timeline at the end of a log. Raises Malformed at an action that was never accepted."""
    end = Timeline(Moment(start(options)))
    for timeline in follow(options, end, log):
        end = timeline
    return end


def look_back(options: Options, log: Sequence[Action], since: int) -> Iterator[State]:
    """The state after each action of a log but the first `since`. Raises Malformed as `replay` does."""
    for index, timeline in enumerate(follow(options, Timeline(Moment(start(options))), log)):
        if index >= since:
            yield timeline.now.state


def follow(options: Options, timeline: Timeline, log: Sequence[Action]) -> Iterator[Timeline]:
    """The timeline after each further entry of a log. Raises Malformed as `replay` does."""
    for index, action in enumerate(log):
        try:
            if not could_be_accepted(options, timeline.now.state, action):
                raise LookupError("not an action that was accepted here")
            timeline = advance(options, timeline, action)
        except LookupError as error:
            raise Malformed({"log": {str(index): ["Not an action that was accepted here."]}}) from error
        yield timeline


def effective(options: Options, log: Sequence[Action]) -> list[Action]:
    """The actions of a log that still count, in order, as the story tells them. Raises as `replay` does."""
    return story(replay(options, log).now)
