"""Owns the merging of two branches of one game: settled when it is proved, else questions for the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.rules.the_game.actions import Action
from services.rules.the_game.branches import are_named_differently, names, with_names
from services.rules.the_game.findings import Finding
from services.rules.the_game.log import follow, replay
from services.rules.the_game.options import Options
from services.rules.the_game.sides import Sides
from services.rules.the_game.story import story
from services.rules.the_game.timeline import Moment, Timeline


@dataclass(frozen=True, slots=True)
class Branch:
    """What was recorded since the common moment, undo and redo too, and the moment that it led to."""

    entries: tuple[Action, ...]
    end: Moment


def merge(
    options: Options, common: Sequence[Action], cloud: Sequence[Action], device: Sequence[Action]
) -> Finding:
    """What two branches of accepted entries after a common log make together.

    Plays without a value carry ids: only by its id is one known to be the same in both.
    Raises Malformed at an entry that was never accepted.
    """
    base = replay(options, common)
    return settle(options, base.now, branch(options, base, cloud), branch(options, base, device))


def branch(options: Options, base: Timeline, entries: Sequence[Action]) -> Branch:
    """The branch of these entries. Raises Malformed at one that was never accepted."""
    end = base
    for timeline in follow(options, base, entries):
        end = timeline
    return Branch(tuple(entries), end.now)


def settle(options: Options, base: Moment, cloud: Branch, device: Branch) -> Finding:
    """What two branches after one moment make together.

    A branch that is the beginning of the other, or has nothing of its own, gives the other. Nothing is proved
    where one took back what the other kept from before the branches, or each named a card differently.
    """
    ours, theirs = story(cloud.end), story(device.end)
    is_clash = are_named_differently(ours, theirs)
    known = {} if is_clash else names(ours) | names(theirs)
    base_told, cloud_told, device_told = (
        tuple(with_names(told, known)) for told in (story(base), ours, theirs)
    )
    sides = Sides(
        options=options,
        base=base_told,
        cloud=cloud_told,
        device=device_told,
        recorded=(tuple(ours), tuple(theirs)),
        ends=(cloud.end.state, device.end.state),
    )
    if device.entries == cloud.entries[: len(device.entries)]:
        return sides.merged(ours, cloud.end.state)
    if cloud.entries == device.entries[: len(cloud.entries)]:
        return sides.merged(theirs, device.end.state)
    return sides.undecided() if is_clash else sides.find()
