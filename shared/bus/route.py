"""Owns where the events of a relay go, and the limits they are kept within there."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Route:
    """`stream` with the `groups` that must have everything; `source` is the CloudEvents source.

    What all groups have confirmed stays for another `keep_s`, for readers without a group, unless the stream
    is more than half full; when it is full nothing is published until the groups have caught up. Full is at
    `max_entries`, or sooner when entries are so large that they would take more than `max_bytes`.
    """

    stream: str
    source: str
    groups: tuple[str, ...]
    batch: int
    keep_s: float
    max_entries: int
    max_bytes: int
