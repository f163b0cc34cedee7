"""Owns undo and redo: a chain of moments, one state after each effective action, so that undo is a pop."""

from dataclasses import dataclass, field

from services.rules.the_game.actions import Action
from services.rules.the_game.refusals import Refusal
from services.rules.the_game.state import State


@dataclass(frozen=True, slots=True)
class Moment:
    """The state after an effective action, and the moment before it; the first moment has neither.

    An entry that tells the game anew has its state from moments of its own: `told` is the last of them.
    """

    state: State
    action: Action | None = None
    before: "Moment | None" = field(default=None, repr=False, compare=False)
    told: "Moment | None" = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The present moment, and the moments that were undone and can be redone, the next one last.

    `past` is the timeline one entry earlier.
    """

    now: Moment
    undone: tuple[Moment, ...] = ()
    past: "Timeline | None" = field(default=None, repr=False, compare=False)

    def then(self, action: Action, state: State, told: Moment | None = None) -> "Timeline":
        """The timeline after a newly accepted action, which ends what could be redone."""
        return Timeline(Moment(state, action, self.now, told), (), self)

    def versions(self) -> "list[Timeline]":
        """The timeline after each number of entries, from none to all."""
        found = [self]
        while (past := found[-1].past) is not None:
            found.append(past)
        return found[::-1]

    def at(self, version: int) -> "Timeline":
        """The timeline after so many entries. Raises LookupError when there never were so many."""
        versions = self.versions()
        if not 0 <= version < len(versions):
            raise LookupError("no such version")
        return versions[version]

    @property
    def undoable(self) -> Action | None:
        """The last effective action."""
        return self.now.action

    @property
    def redoable(self) -> Action | None:
        """The action that was undone last."""
        return self.undone[-1].action if self.undone else None


def refuse_undo(timeline: Timeline, target: str | None) -> Refusal | None:
    """Why the last effective action may not be taken back, or None; `target` guards against two taps."""
    if timeline.undoable is None:
        return "nothing_to_undo"
    return _mismatch(timeline.undoable, target)


def refuse_redo(timeline: Timeline, target: str | None) -> Refusal | None:
    """Why the action undone last may not be redone, or None."""
    if timeline.redoable is None:
        return "nothing_to_redo"
    return _mismatch(timeline.redoable, target)


def undo(timeline: Timeline) -> Timeline:
    """The timeline without its last effective action. Raises LookupError at the start."""
    if timeline.now.before is None:
        raise LookupError("nothing to undo")
    return Timeline(timeline.now.before, (*timeline.undone, timeline.now), timeline)


def redo(timeline: Timeline) -> Timeline:
    """The timeline with the action undone last. Raises LookupError when there is none."""
    if not timeline.undone:
        raise LookupError("nothing to redo")
    return Timeline(timeline.undone[-1], timeline.undone[:-1], timeline)


def _mismatch(action: Action, target: str | None) -> Refusal | None:
    return "undo_target_mismatch" if target is not None and target != action.id else None
