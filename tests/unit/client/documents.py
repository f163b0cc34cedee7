"""Builders of the API's documents, each complete and changed only where a test says so."""

import json
from typing import Any

PILES = {"up1": "up", "up2": "up", "down1": "down", "down2": "down"}


def pile(direction: str, top: int | None, playable: Any = (), uncertain: Any = ()) -> dict[str, Any]:
    return {
        "direction": direction,
        "top": top,
        "playable": list(playable),
        "uncertain": list(uncertain),
    }


def table(**changes: Any) -> dict[str, Any]:
    piles = {
        name: pile(direction, 1 if direction == "up" else 100, range(2, 100))
        for name, direction in PILES.items()
    }
    return {
        "status": "playing",
        "phase": "play",
        "turn": 1,
        "active_seat": 0,
        "hands": [7, 7],
        "deck": 84,
        "minimum": 2,
        "played_this_turn": 0,
        "to_draw": 0,
        "remaining": 98,
        "control": "full",
        "piles": piles,
        "played": [],
        **changes,
    }


GAME_ID = "0190a000-0000-7000-8000-000000000001"


def game(**changes: Any) -> dict[str, Any]:
    """A new game of Ana and Ben; `table` is merged into a fresh table."""
    inner = table(**changes.pop("table", {}))
    return {
        "id": GAME_ID,
        "ruleset": "the-game",
        "rules_version": "1",
        "options": {"difficulty": "normal", "reduced_hand": False, "first_seat": 0},
        "players": [
            {"seat": seat, "name": name, "hand": hand}
            for seat, (name, hand) in enumerate(zip(("Ana", "Ben"), inner["hands"], strict=True))
        ],
        "version": 0,
        "table": inner,
        "result": None,
        "undo": None,
        "redo": None,
        "created_at": "2026-01-02T10:00:00Z",
        "updated_at": "2026-01-02T10:30:00Z",
        **changes,
    }


def access(role: str = "owner", **changes: Any) -> dict[str, Any]:
    """What Ana may do with her game; `changes` make it somebody else's view of it."""
    return {
        "game_id": GAME_ID,
        "version": 0,
        "role": role,
        "owner_id": "acc",
        "issued_at": "2026-01-02T10:00:00Z",
        "expires_at": "2026-01-02T10:15:00Z",
        "account_id": "acc",
        "sign_in": "s",
        "guest_id": None,
        "invitation_id": None,
        "joined_at": None,
        **changes,
    }


def outcome(verdict: str = "accepted", **changes: Any) -> dict[str, Any]:
    return {"action_id": "a", "verdict": verdict, "instructions": [], "warnings": [], **changes}


def entry(seq: int, action: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "seq": seq,
        "action": {"id": f"id-{seq}", **action},
        "by": {"account_id": "acc"},
        "at": None,
        "recorded_at": "2026-01-02T10:30:00Z",
        "rules_version": "1",
        "instructions": [],
        "effective": True,
        **changes,
    }


def result(outcome: str = "win", remaining: int = 0, rating: str = "perfect") -> dict[str, Any]:
    return {
        "outcome": outcome,
        "remaining": remaining,
        "rating": rating,
        "confirmed_at": "2026-01-02T11:00:00Z",
    }


def tokens(number: int) -> dict[str, Any]:
    return {
        "access_token": f"access-{number}",
        "refresh_token": f"refresh-{number}",
        "token_type": "Bearer",
        "expires_in": 900,
    }


def frame(event: str, document: dict[str, Any], seq: int | None = None) -> bytes:
    """An event of the live stream."""
    named = f"id: {seq}\n" if seq is not None else ""
    return f"{named}event: {event}\ndata: {json.dumps(document)}\n\n".encode()


def entry_frame(seq: int, action: dict[str, Any] | None = None, **changes: Any) -> bytes:
    """The live event of an entry; `table` and `result` are what it led to, the rest changes the entry."""
    led_to = {"table": table(**changes.pop("table", {})), "result": changes.pop("result", None)}
    return frame("entry", {"entry": entry(seq, action or {"type": "draw"}, **changes), **led_to}, seq)


def logged(seq: int) -> dict[str, Any]:
    """An entry as the log tells it when asked for tables."""
    return {**entry(seq, {"type": "draw"}), "table": table(), "result": None}


def device(role: str = "owner", **changes: Any) -> dict[str, Any]:
    """A device that watches."""
    return {"device": None, "account_id": "acc", "guest_id": None, "role": role, "streams": 1, **changes}
