"""Entries about a game as a whole: a card named later, a table taken over, a way back, a decision."""

from collections.abc import Iterable

from gateway.client.contract import Action, Entry
from gateway.client.rendering.text import cards

_DECIDED = {
    "cloud": "conflict decided for the shared game",
    "device": "conflict decided for the offline device",
    "merged": "conflict decided: both stories together",
    "table": "conflict decided by what the table shows",
}


def correction(item: Action) -> str | None:
    """What such an entry did, in a few words; None for any other entry."""
    match item["type"]:
        case "identify":
            return f"a card laid without its value named: {item.get('card')}"
        case "adopt":
            return "the table taken as it lies"
        case "rewind":
            return f"back to version {item.get('to_version')}"
        case "resolve":
            return _resolved(item)
    return None


def _resolved(item: Action) -> str:
    if "proof" in item:
        return f"two stories joined: {proof(item['proof'])}"
    return _DECIDED.get(str(item.get("choice")), "conflict decided")


def retold(log: Iterable[Entry]) -> dict[str, int]:
    """The ids of actions that an entry which settles a conflict tells again, with its number."""
    return {
        item["id"]: it["seq"]
        for it in log
        if it["effective"]
        for item in it["action"].get("actions", [])
        if "id" in item
    }


def proof(counts: dict[str, int]) -> str:
    """What a merge has proved, in numbers."""
    common, cloud, device = (
        counts.get(f"plays_{whose}", 0) for whose in ("common", "cloud_only", "device_only")
    )
    return f"{cards(common)} in both, {cloud} only in the shared game, {device} only on the device"
