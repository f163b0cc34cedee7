"""Builders of the documents around branches: answers to sync, conflicts with both their sides."""

from typing import Any

from tests.unit.client import documents as a

CONFLICT_ID = "0190a000-0000-7000-8000-00000000c0de"


def tops(**changed: int | None) -> dict[str, Any]:
    """The piles of a fresh table with other tops."""
    piles = {name: a.pile(direction, 1 if direction == "up" else 100) for name, direction in a.PILES.items()}
    return piles | {name: {**piles[name], "top": top} for name, top in changed.items()}


def synced(*outcomes: dict[str, Any], **game: Any) -> dict[str, Any]:
    """A branch that was taken in."""
    made = a.game(**game)
    parked = sum(it["verdict"] == "rejected" for it in outcomes)
    return {"version": made["version"], "outcomes": list(outcomes), "parked": parked, "game": made}


def branched(*outcomes: dict[str, Any], version: int = 1) -> dict[str, Any]:
    """A branch that opened a conflict."""
    return {"conflict": {"id": CONFLICT_ID}, "version": version, "outcomes": list(outcomes), "parked": 0}


def side(device: str | None, **changes: Any) -> dict[str, Any]:
    by = {"account_id": "acc"} | ({"device": device} if device else {})
    return {
        "device": device,
        "by": by,
        "at": "2026-01-02T10:40:00Z",
        "table": a.table(),
        "entries": [],
        **changes,
    }


def conflict(status: str = "needs_decision", **changes: Any) -> dict[str, Any]:
    """12 on up1 in the cloud, 12 on up2 on the device."""
    cloud, device = ({"type": "play", "pile": pile, "card": 12, "id": pile} for pile in ("up1", "up2"))
    sides = {
        "cloud": side("kitchen", table=a.table(piles=tops(up1=12)), entries=[a.entry(1, cloud)]),
        "device": side(
            "cellar",
            table=a.table(piles=tops(up2=12)),
            entries=[{"action": device, "at": None, "outcome": a.outcome(action_id="up2")}],
        ),
    }
    question = {
        "id": "top:up1",
        "fact": "top",
        "pile": "up1",
        "cloud": 12,
        "device": 1,
        "text": "Which?",
    }
    return {
        "id": CONFLICT_ID,
        "game_id": a.GAME_ID,
        "status": status,
        "base_version": 0,
        "cloud_version": 1,
        **sides,
        "newer": "device",
        "first_difference": {"index": 0, "turn": 1, "seat": 0, "cloud": cloud, "device": device},
        "proposal": None,
        "questions": [question],
        "proof": None,
        "text": {
            "summary": "They part.",
            "keep_cloud": "Loses one.",
            "keep_device": "Loses another.",
        },
        "created_at": "2026-01-02T10:40:00Z",
        "updated_at": "2026-01-02T10:40:00Z",
        **changes,
    }


def resolved(seq: int = 2, **action: Any) -> dict[str, Any]:
    """The entry that settles it."""
    made = {"type": "resolve", "conflict_id": CONFLICT_ID, "choice": "device", "actions": [], **action}
    return a.entry(seq, made)
