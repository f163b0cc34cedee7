"""Who entered something or watches: the owner, another, oneself, and the device where it has a name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.client.rendering.text import printable
from gateway.client.sharing import Presence


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Who is reading, None when that does not matter, and whose game it is, None where that is not known."""

    account_id: str | None = None
    guest_id: str | None = None
    owner_id: str | None = None

    def is_mine(self, by: Mapping[str, Any]) -> bool:
        """Whether an entry or a device is the reader's own."""
        guest_id, account_id = by.get("guest_id"), by.get("account_id")
        if guest_id is not None:
            return bool(guest_id == self.guest_id)
        return account_id is not None and bool(account_id == self.account_id)

    def is_owner(self, by: Mapping[str, Any]) -> bool:
        """Whether an entry or a device is that of the game's owner, as far as is known who that is."""
        if by.get("guest_id") is not None:
            return False
        return self.owner_id is None or by.get("account_id") in (None, self.owner_id)


NOBODY = Viewpoint()
"""Where it is not known who is reading."""


def author(by: Mapping[str, Any], viewpoint: Viewpoint) -> str:
    """Whoever `by` names: `you`, `the owner (Ana's phone)`, `guest 4f2a`, `account 77c0`."""
    device, guest_id = by.get("device"), by.get("guest_id")
    named = f" ({printable(str(device))})" if device else ""
    if viewpoint.is_mine(by):
        return f"you{named}"
    if viewpoint.is_owner(by):
        return f"the owner{named}"
    kind, one = ("account", by.get("account_id")) if guest_id is None else ("guest", guest_id)
    return f"{kind}{named}" if named else f"{kind} {printable(str(one)[-4:])}"


def author_mark(by: Mapping[str, Any], viewpoint: Viewpoint) -> str:
    """What a line of the log says about its author: nothing where that is the owner."""
    return "" if viewpoint.is_owner(by) else f" · {author(by, viewpoint)}"


def presence(devices: Sequence[Presence], viewpoint: Viewpoint) -> str:
    """All devices that watch, in a line; the same ones always read the same."""
    if not devices:
        return "Nobody is watching."
    ordered = sorted((it["role"] != "owner", _device(it, viewpoint)) for it in devices)
    return f"Watching: {', '.join(told for _, told in ordered)}."


def _device(device: Presence, viewpoint: Viewpoint) -> str:
    role = f" as {printable(device['role'])}" if device["role"] != "owner" else ""
    times = f" ×{device['streams']}" if device["streams"] > 1 else ""
    return f"{author(device, viewpoint)}{role}{times}"
