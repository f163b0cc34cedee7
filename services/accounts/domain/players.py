"""Saved players and how two that are one person become one, reversibly.

Each player remembers the one it was merged into and nothing else changes, so players form a forest: undoing
a merge gives back exactly what it joined, with whatever was merged into it before. Others see the root.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

NAME_MAX_LENGTH = 60
PLAYERS_LIMIT = 1_000  # of one account, archived and merged ones included
FAMILY_LIMIT = 50  # players that are one person: each change to one is told of all of them
COLOUR = r"#[0-9A-Fa-f]{6}"


@dataclass(frozen=True, slots=True)
class Player:
    """A saved player; `parent` is the one it was merged into, which may be merged itself."""

    id: UUID
    name: str
    colour: str | None
    archived: bool
    parent: UUID | None
    created_at: datetime
    updated_at: datetime


def may_merge(player: Player, into: Player | None) -> bool:
    """Whether `player` may be merged into `into` (None: no such player of this account).

    Both must be roots and different: no cycle can arise, and nothing is merged into what is itself merged.
    """
    return into is not None and player.id != into.id and player.parent is None and into.parent is None


def root(player_id: UUID, parents: Mapping[UUID, UUID]) -> UUID:
    """The player that stands for `player_id`; `parents` has each merged player's parent."""
    while player_id in parents:
        player_id = parents[player_id]
    return player_id


def family(player_id: UUID, parents: Mapping[UUID, UUID]) -> list[UUID]:
    """`player_id` and all that were merged into it, over any number of steps."""
    children: dict[UUID, list[UUID]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    found = [player_id]
    for member in found:
        found += children.get(member, ())
    return found


def may_be_one(player_id: UUID, into_id: UUID, parents: Mapping[UUID, UUID]) -> bool:
    """Whether the families of two roots are small enough to become one."""
    return len(family(player_id, parents)) + len(family(into_id, parents)) <= FAMILY_LIMIT
