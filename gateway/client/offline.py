"""What a machine recorded of a game without a network: the base it follows, entries, what was answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from gateway.client.contract import Action, Game, Outcome, Reference

MOST_ACTIONS = 1_000
"""A branch longer than that cannot be sent."""


class Unreadable(Exception):
    """The lines do not make sense together."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A branch as this machine has it.

    `base` is the game as it was last seen before; `device` the name it was sent under; `answered` has the ids
    the gateway has judged one by one, up to `version`; the first `kept` actions are at the gateway with
    `conflict_id`; `torn` counts lines that were cut off while they were written.
    """

    base: Game
    actions: tuple[Action, ...] = ()
    device: str | None = None
    version: int = 0
    answered: frozenset[str] = frozenset()
    conflict_id: str | None = None
    kept: int = 0
    torn: int = 0

    @property
    def unsent(self) -> tuple[Action, ...]:
        """What the gateway has not answered yet."""
        return tuple(it for it in self.actions[self.kept :] if it.get("id") not in self.answered)

    def undo(self) -> Reference | None:
        """What an undo would take back; None when there is nothing, or it is not known here."""
        return _standing(self.base, self.actions)[0]

    def redo(self) -> Reference | None:
        """What a redo would do again; None as with `undo`."""
        return _standing(self.base, self.actions)[1]


def of_lines(lines: Iterable[Mapping[str, Any] | None]) -> Recorded | None:
    """The branch that the lines of a journal tell, None being a torn one; None when it was never begun.

    Raises `Unreadable`.
    """
    found: Recorded | None = None
    torn = 0
    for line in lines:
        if line is None:
            torn += 1
        elif found is None:
            found = _begun(line)
        else:
            found = _grown(found, line)
    if found is None:
        return None
    return replace(found, torn=torn)


def answered(version: int, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The line that says how actions were judged, up to `version`."""
    return {"answered": {"version": version, "ids": [it.get("action_id") for it in outcomes]}}


def _begun(line: Mapping[str, Any]) -> Recorded:
    base = line.get("base")
    if not isinstance(base, dict) or "table" not in base or not isinstance(base.get("version"), int):
        raise Unreadable
    return Recorded(cast("Game", base), version=base["version"])


def _grown(found: Recorded, line: Mapping[str, Any]) -> Recorded:
    try:
        if "action" in line:
            return replace(found, actions=(*found.actions, line["action"]))
        if "device" in line:
            return replace(found, device=line["device"])
        if "answered" in line:
            told = line["answered"]
            return replace(found, version=told["version"], answered=found.answered | set(told["ids"]))
        kept = line["conflict"]
        return replace(found, conflict_id=kept["id"], kept=kept["count"])
    except (KeyError, TypeError) as error:
        raise Unreadable from error


def _standing(base: Game, actions: Iterable[Action]) -> tuple[Reference | None, Reference | None]:
    done = [base["undo"]] if base["undo"] else []
    undone = [base["redo"]] if base["redo"] else []
    for action in actions:
        if action["type"] == "undo":
            undone += [done.pop()] if done else []
        elif action["type"] == "redo":
            done += [undone.pop()] if undone else []
        else:
            done.append(Reference(target=action.get("id", ""), type=action["type"]))
            undone.clear()
    return done[-1] if done else None, undone[-1] if undone else None
