"""Holders, listeners and events as the tests of the live view need them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from gateway.live import frames
from gateway.live.frames import Frame
from gateway.live.listener import Listener
from gateway.live.rights import Holder
from shared.bus.events import Event

GAME, OTHER_GAME = "01890f3c-8a00-7000-8000-000000000001", "01890f3c-8a00-7000-8000-000000000002"
ACCOUNT, SIGN_IN, GUEST, INVITATION = "account", "sign-in", "guest", "invitation"
ISSUED_AT = datetime(2026, 5, 4, 18, 30, tzinfo=UTC)
OWNER = Holder(
    game_id=GAME,
    role="owner",
    expires_at=datetime(2026, 5, 4, 18, 45, tzinfo=UTC),
    issued_at=ISSUED_AT,
    owner_id=ACCOUNT,
    account_id=ACCOUNT,
    sign_in=SIGN_IN,
    guest_id=None,
    invitation_id=None,
    device=None,
)
VIEWER = replace(
    OWNER, role="viewer", account_id=None, sign_in=None, guest_id=GUEST, invitation_id=INVITATION
)


def listener(holder: Holder = OWNER, position: int = 0, *, up_to_date: bool = True) -> Listener:
    """A listener, by default one that has read the log already."""
    made = Listener(holder, position)
    if up_to_date:
        made.begin_reading()
        made.fill([], has_more=False)
    return made


def entry(seq: int) -> dict[str, Any]:
    return {"seq": seq, "action": {"type": "play"}}


def frame(seq: int) -> Frame:
    """The frame of entry number `seq`, the same from the log as from an event."""
    return frames.entry(entry(seq), {"turn": seq}, None)


def advanced(first: int, last: int, *, says_what_each_led_to: bool = True) -> dict[str, Any]:
    """The data of the event that entries `first` to `last` were added."""
    data: dict[str, Any] = {
        "game_id": GAME,
        "version": last,
        "entries": [entry(seq) for seq in range(first, last + 1)],
        "table": {"turn": last},
        "result": None,
    }
    if last > first and says_what_each_led_to:
        data["after"] = [{"table": {"turn": seq}, "result": None} for seq in range(first, last + 1)]
    return data


def event(kind: str, data: dict[str, Any], subject: str = GAME) -> Event:
    return Event(uuid4(), kind, "/sessions", subject, datetime.now(UTC), data)
