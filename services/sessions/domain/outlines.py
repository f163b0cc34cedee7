"""The outline of a conflict: what is shown of both sides beside their entries, small enough for a list."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from services.sessions.domain.branch import Branch
from services.sessions.domain.log import Entry
from services.sessions.domain.resolutions import IN_CLOUD, ON_DEVICE


def outline(branch: Branch, since: Sequence[Entry], found: dict[str, Any] | None = None) -> dict[str, Any]:
    """Who entered the last of each side, and what was `found` without the actions of any story.

    `since` is the log after the base of the branch, up to when it was looked at; `found` is None before. The
    `texts` are those of every language.
    """
    found = found or {}
    last = since[-1] if since else None
    return {
        "cloud": {
            "device": last.by.device if last else None,
            "by": last.by.document() if last else None,
            "at": made_at(last) if last else None,
            "table": found.get("cloud", {}).get("table"),
        },
        "device": {
            "device": branch.by.device,
            "by": branch.by.document(),
            "at": branch.newest_at,
            "table": found.get("device", {}).get("table"),
        },
        "newer": newer_side(branch, since),
        "first_difference": found.get("first_difference"),
        "proposal": _without_actions(proposed(found)),
        "questions": found.get("questions", []),
        "texts": found.get("texts", {}),
    }


def forgetting(outline: dict[str, Any], owner_id: UUID, gone: Collection[UUID]) -> dict[str, Any]:
    """An outline without what authors called their devices whose accounts are `gone`.

    Guests, whom nobody knows, are as the owner of the game.
    """
    told = dict(outline)
    for side in (IN_CLOUD, ON_DEVICE):
        by = outline[side]["by"]
        if by is not None and (UUID(by["account_id"]) if by["account_id"] else owner_id) in gone:
            nameless = {name: value for name, value in by.items() if name != "device"}
            told[side] = outline[side] | {"device": None, "by": nameless}
    return told


def authors(outline: dict[str, Any]) -> set[UUID]:
    """The accounts that entered the last of each side."""
    both = (outline[side]["by"] for side in (IN_CLOUD, ON_DEVICE))
    return {UUID(by["account_id"]) for by in both if by is not None and by["account_id"]}


def proposed(found: dict[str, Any] | None) -> dict[str, Any] | None:
    """What is proposed: also what was proved, where people took that back or somebody may not write it."""
    if not found:
        return None
    story = found["proposal"] if found["status"] == "undecided" else found
    return story and {key: story[key] for key in ("base_version", "actions", "table", "result")}


def newer_side(branch: Branch, since: Sequence[Entry]) -> str:
    """The side that was entered last, as far as the clocks are right; `since` is the log after the base."""
    own = {action["id"] for action in branch.actions}
    made = [made_at(entry) for entry in since if entry.action["id"] not in own]
    return IN_CLOUD if made and max(made) > branch.newest_at else ON_DEVICE


def made_at(entry: Entry) -> datetime:
    """When an entry was made, as far as that is known; no device's clock is believed to be ahead of ours."""
    return min(entry.at, entry.recorded_at) if entry.at else entry.recorded_at


def _without_actions(story: dict[str, Any] | None) -> dict[str, Any] | None:
    return story and {key: value for key, value in story.items() if key != "actions"}
