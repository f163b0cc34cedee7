"""Owns the door to the ruleset `the-game`: everything that others may ask of it, in JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from services.rules.malformed import Malformed
from services.rules.the_game.actions import Action, read_actions, require_labels
from services.rules.the_game.compact import decode, encode
from services.rules.the_game.description import describe
from services.rules.the_game.entries import WHOLE, read_entries
from services.rules.the_game.guide.reading import figures
from services.rules.the_game.guide.reading import sections as guide
from services.rules.the_game.judgement import Outcome, judge
from services.rules.the_game.log import look_back, replay
from services.rules.the_game.options import Options, read_options
from services.rules.the_game.reconciliation import reconciled
from services.rules.the_game.results import result
from services.rules.the_game.state import State
from services.rules.the_game.summary import summary
from services.rules.the_game.table import table
from services.rules.the_game.timeline import Moment, Timeline
from shared.contracts.actions import TIMELINE

__all__ = [
    "NAME",
    "NOT_COVERED",
    "VERSION",
    "answer",
    "describe",
    "evaluate",
    "figures",
    "guide",
    "recall",
    "reconcile",
]

NAME = "the-game"
VERSION = "1"
NOT_COVERED: tuple[str, ...] = ("on-fire", "extreme", "quick-and-easy", "face-to-face")


def evaluate(options: object, actions: object, tables: bool) -> dict[str, Any]:
    """A whole log from the first card on: one outcome per action, a refused one changes nothing.

    With `tables`, each outcome carries the table after it. `summary` is there when `result` is, both null
    before. Raises Malformed for input of the wrong shape.
    """
    chosen = read_options(options)
    steps = read_actions(actions)
    require_labels(steps)
    timeline = replay(chosen, ())
    start = table(chosen, timeline.now.state)
    outcomes = []
    for step in steps:
        timeline, outcome = judge(chosen, timeline, step)
        outcomes.append({"action_id": step.id, **_judged(chosen, timeline, outcome, tables)})
    return {
        "rules_version": VERSION,
        "start": start,
        "outcomes": outcomes,
        "table": table(chosen, timeline.now.state),
        "result": _result(timeline.now.state),
        "summary": _summary(chosen, timeline),
    }


def answer(
    options: object, state: object, log: object, actions: object, tables: bool, go_on: bool = False
) -> dict[str, Any]:
    """Judge actions until the first refused one: from a log, from a state, or with neither from the start.

    With `go_on` all of them are judged: a refused one changes nothing.
    Undo, redo, identify and entries about the whole game need the log; from a state alone they are Malformed,
    like any input of the wrong shape. A game is summed up from its log only: from a state alone no `summary`
    is told.
    The answered `state` continues the game; `undo` and `redo` name what they would act on. From a state alone
    that is the last accepted action; both are absent when none was accepted: what came before is not known.
    Otherwise `options` are answered complete, with those that were left out.
    Each outcome carries the `result` after it when there is one, with `tables` also the table. An accepted
    action that leads to a result, whichever that is, carries the `summary` too; at the end the answer does.
    """
    chosen = read_options(options)
    steps = read_entries(actions, "actions")
    is_bare = state is not None and log is None
    timeline = _at_state(chosen, state, steps) if is_bare else _at_end(chosen, log)
    outcomes = []
    for step in steps:
        timeline, outcome = judge(chosen, timeline, step)
        judged = _judged(chosen, timeline, outcome, tables)
        if reached := _result(timeline.now.state):
            judged["result"] = reached
        if reached and not outcome.refusal and not is_bare:
            judged["summary"] = _summary(chosen, timeline)
        outcomes.append(judged)
        if outcome.refusal and not go_on:
            break
    answered = {
        "rules_version": VERSION,
        "outcomes": outcomes,
        "state": encode(timeline.now.state),
        "table": table(chosen, timeline.now.state),
        "result": _result(timeline.now.state),
    }
    if not is_bare:
        answered |= {"options": asdict(chosen), "summary": _summary(chosen, timeline)}
    if not is_bare or timeline.undoable:
        answered |= {"undo": _target(timeline.undoable), "redo": _target(timeline.redoable)}
    return answered


def recall(options: object, log: object, since: object) -> dict[str, Any]:
    """What there was to see after each action of a log but the first `since`; nothing is judged again.

    Raises Malformed for input of the wrong shape.
    """
    chosen = read_options(options)
    entries = read_entries(log, "log")
    if type(since) is not int or not 0 <= since <= len(entries):
        raise Malformed({"since": ["Not a count of actions of the log."]})
    states = look_back(chosen, entries, since)
    return {
        "rules_version": VERSION,
        "after": [{"table": table(chosen, state), "result": _result(state)} for state in states],
    }


def reconcile(
    options: object, log: object, base_version: object, branch: object, newer: object = None
) -> dict[str, Any]:
    """What a log and a device's branch after its first `base_version` entries make together: see there."""
    return {"rules_version": VERSION, **reconciled(options, log, base_version, branch, newer)}


def _at_end(options: Options, log: object) -> Timeline:
    return replay(options, [] if log is None else read_entries(log, "log"))


def _at_state(options: Options, state: object, steps: Sequence[Action]) -> Timeline:
    if any(step.type in TIMELINE or step.type in WHOLE for step in steps):
        raise Malformed({"log": ["Actions about what was recorded need the log."]})
    return Timeline(Moment(decode(options, state)))


def _judged(options: Options, timeline: Timeline, outcome: Outcome, tables: bool) -> dict[str, Any]:
    judged = outcome.as_json()
    if tables:
        judged["table"] = table(options, timeline.now.state)
    return judged


def _result(state: State) -> dict[str, Any] | None:
    reached = result(state)
    return asdict(reached) if reached else None


def _summary(options: Options, timeline: Timeline) -> dict[str, Any] | None:
    found = summary(options, timeline.now)
    return {**found.as_json(), "rules_version": VERSION} if found else None


def _target(action: Action | None) -> dict[str, Any] | None:
    return {"target": action.id, "type": action.type} if action else None
