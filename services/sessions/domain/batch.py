"""A batch of actions against a log: what was answered before, what is new, what stops it."""

from dataclasses import dataclass
from typing import Any

from services.sessions.domain.log import Entry


@dataclass(frozen=True, slots=True)
class Plan:
    """How a batch is to be taken, up to the first action whose id is `reused`; keys are indexes.

    `earlier` has the entries of before, `repeats` the index that an action of this batch repeats.
    """

    actions: list[dict[str, Any]]
    earlier: dict[int, Entry]
    repeats: dict[int, int]
    reused: int | None

    @property
    def fresh(self) -> list[int]:
        """The indexes of the actions to be judged, in order."""
        return [i for i in range(len(self.actions)) if i not in self.earlier and i not in self.repeats]


def plan(actions: list[dict[str, Any]], log: dict[str, Entry]) -> Plan:
    """Sort a batch of normal `actions`; `log` holds the entries that carry one of their ids, by id.

    The same id twice in one batch is a repeat of the first when the body is the same, else reused.
    """
    earlier: dict[int, Entry] = {}
    repeats: dict[int, int] = {}
    first: dict[str, int] = {}
    for index, action in enumerate(actions):
        action_id = action["id"]
        known = log.get(action_id)
        if known is not None:
            if not same(known.action, action):
                return Plan(actions[:index], earlier, repeats, index)
            earlier[index] = known
        elif action_id in first:
            if not same(actions[first[action_id]], action):
                return Plan(actions[:index], earlier, repeats, index)
            repeats[index] = first[action_id]
        else:
            first[action_id] = index
    return Plan(actions, earlier, repeats, None)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same, type by type: 7, 7.0 and true are three things."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
