"""Owns the list of devices that have a game open, put together from those of all live processes."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import orjson

from gateway.live.rights import Holder

Devices = list[dict[str, Any]]
_NAMES = ("device", "account_id", "guest_id", "role")


def of(holders: Iterable[Holder]) -> Devices:
    """One item for each device of each bearer, with how many streams it has."""
    return _listed(Counter((it.device, it.account_id, it.guest_id, it.role) for it in holders))


def merged(lists: Iterable[Devices]) -> Devices:
    """The lists as one."""
    total: Counter[tuple[str | None, ...]] = Counter()
    for devices in lists:
        for device in devices:
            total[tuple(device[name] for name in _NAMES)] += device["streams"]
    return _listed(total)


def packed(devices: Devices, until_s: float) -> bytes:
    """What a process leaves for the others, who believe it until then (Unix seconds)."""
    return orjson.dumps({"until": until_s, "devices": devices})


def unpacked(text: bytes, now_s: float) -> Devices | None:
    """The list in `text`; None where it is outdated, or nothing that is understood here."""
    try:
        document = orjson.loads(text)
        if document["until"] < now_s:
            return None
        return merged([document["devices"]])
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return None


def _listed(total: Counter[tuple[str | None, ...]]) -> Devices:
    found = sorted(total.items(), key=lambda it: tuple(part or "" for part in it[0]))
    return [dict(zip(_NAMES, who, strict=True)) | {"streams": streams} for who, streams in found]
