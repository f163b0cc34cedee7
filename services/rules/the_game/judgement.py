"""Owns the judgement of one action on a timeline: its outcome, and the timeline after it."""

from dataclasses import dataclass
from typing import Any

from services.rules.the_game import game
from services.rules.the_game.actions import Action
from services.rules.the_game.adoption import Errors, impossible, shown
from services.rules.the_game.instructions import Instruction, backward, forward
from services.rules.the_game.naming import misfits, named, refuse_identify
from services.rules.the_game.options import Options
from services.rules.the_game.refusals import Refusal, Warning
from services.rules.the_game.retelling import RETELLING, refuse_retelling, taken_back, told, wrong
from services.rules.the_game.timeline import Moment, Timeline, redo, refuse_redo, refuse_undo, undo


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an action: refused with a code, or accepted with instructions and warnings.

    `errors` say more about some refusals: ids of entries that would not fit, or what is wrong by field.
    """

    refusal: Refusal | None
    instructions: list[Instruction]
    warnings: list[Warning]
    errors: Errors | list[str | None] | None = None

    def as_json(self) -> dict[str, Any]:
        verdict = {"verdict": "rejected", "code": self.refusal} if self.refusal else {"verdict": "accepted"}
        errors = {"errors": self.errors} if self.errors else {}
        return {**verdict, **errors, "instructions": self.instructions, "warnings": self.warnings}


def judge(options: Options, timeline: Timeline, action: Action) -> tuple[Timeline, Outcome]:
    """The timeline after the action and its outcome; a refused action changes nothing."""
    refusal = _refuse(options, timeline, action)
    if refusal is not None:
        return timeline, Outcome(refusal, [], [], _errors(options, timeline, action, refusal))
    after = advance(options, timeline, action)
    if action.type == "undo":
        return after, Outcome(None, _taken_back(timeline.now), [])
    return after, _done(after.now)


def advance(options: Options, timeline: Timeline, action: Action) -> Timeline:
    """The timeline after an action that was accepted; it is not judged again.

    Raises LookupError where it shows that it never was.
    """
    if action.type == "undo":
        return undo(timeline)
    if action.type == "redo":
        return redo(timeline)
    if action.type == "identify":
        moment = named(options, timeline.now, action)
        return timeline.then(action, moment.state, moment)
    if action.type in RETELLING:
        moment = told(options, timeline, action)
        return timeline.then(action, moment.state, moment)
    return timeline.then(action, game.apply(options, timeline.now.state, action))


def _refuse(options: Options, timeline: Timeline, action: Action) -> Refusal | None:
    if action.type == "undo":
        return refuse_undo(timeline, action.target)
    if action.type == "redo":
        return refuse_redo(timeline, action.target)
    if action.type == "identify":
        return refuse_identify(options, timeline.now, action)
    if action.type in RETELLING:
        return refuse_retelling(options, timeline, action)
    return game.refuse(options, timeline.now.state, action)


def _errors(
    options: Options, timeline: Timeline, action: Action, refusal: Refusal
) -> Errors | list[str | None] | None:
    if action.type == "identify" and refusal == "illegal_play":
        return misfits(options, timeline.now, action)
    if action.type == "adopt":
        return impossible(options, timeline.now.state, shown(action))
    return wrong(options, timeline, action) if action.type in RETELLING else None


def _done(moment: Moment) -> Outcome:
    if moment.before is None or moment.action is None:
        return Outcome(None, [], [])
    before = moment.before.state
    if moment.action.type == "rewind":
        return Outcome(None, taken_back(moment.before, moment), [])
    return Outcome(None, forward(before, moment.action, moment.state), game.warn(before, moment.action))


def _taken_back(moment: Moment) -> list[Instruction]:
    if moment.before is None or moment.action is None:
        return []
    return backward(moment.before.state, moment.action, moment.state)
