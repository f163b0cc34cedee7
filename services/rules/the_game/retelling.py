"""Owns the entries that go back in the log and tell the game anew: rewind and resolve."""

from services.rules.malformed import Malformed
from services.rules.the_game import game
from services.rules.the_game.actions import Action, Whole
from services.rules.the_game.adoption import Errors, impossible, shown
from services.rules.the_game.instructions import Instruction, backward, turn_of
from services.rules.the_game.options import Options
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.story import chain, fold, shared_beginning, story
from services.rules.the_game.timeline import Moment, Timeline

RETELLING = frozenset({"rewind", "resolve"})


def refuse_retelling(options: Options, timeline: Timeline, action: Action) -> Refusal | None:
    """Why the game cannot be told like this, or None. Raises Malformed for a version that there never was."""
    return _judged(options, timeline, action)[0]


def wrong(options: Options, timeline: Timeline, action: Action) -> Errors | list[str | None]:
    """What is wrong about a refused one: the id of the action that does not fit, or the table by field."""
    return _judged(options, timeline, action)[1]


def told(options: Options, timeline: Timeline, action: Action) -> Moment:
    """The last moment of the game as it is told now. Raises LookupError at what was never accepted."""
    whole = action.whole or Whole()
    moment = timeline.at(whole.version).now
    return fold(options, moment, _steps(action, whole))


def taken_back(now: Moment, target: Moment) -> list[Instruction]:
    """The physical acts that lead from `now` to `target`: what was done since, taken back, the newest first.

    When `target` does not lie on the way, there is only whose turn it is.
    """
    kept = story(target)
    way = list(chain(now))
    if len(way) < len(kept) or shared_beginning(kept, story(now)) < len(kept):
        return turn_of(target.state)
    acts: list[Instruction] = []
    for moment, action in way[: len(way) - len(kept)]:
        if moment.before is not None:
            acts += backward(moment.before.state, action, moment.state)
    return acts


def _steps(action: Action, whole: Whole) -> list[Action]:
    """What is told after the version: effective actions and, when the table decides, what it shows."""
    if whole.choice != "table":
        return [*whole.actions]
    return [*whole.actions, Action("adopt", id=action.id, whole=Whole(table=whole.table))]


def _judged(
    options: Options, timeline: Timeline, action: Action
) -> tuple[Refusal | None, Errors | list[str | None]]:
    whole = action.whole or Whole()
    try:
        state = timeline.at(whole.version).now.state
    except LookupError as error:
        raise Malformed({"actions": ["No such version of the log."]}) from error
    for step in _steps(action, whole):
        refusal = game.refuse(options, state, step)
        if refusal == "table_impossible":
            return refusal, impossible(options, state, shown(step))
        if refusal is not None:
            return refusal, [step.id]
        state = game.apply(options, state, step)
    return None, []
