"""Owns what Redis knows about the groups of a stream: making them, how far they are, what they still owe."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from redis.exceptions import ResponseError

from shared.bus.connections import Client
from shared.bus.positions import START, Position

NO_KEY = "no such key"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a group is: every entry below `confirmed_below` is acknowledged.

    `pending` were delivered and are not, the oldest of them is `oldest`; `lag` were not delivered yet (None
    where Redis cannot tell).
    """

    group: str
    confirmed_below: Position
    pending: int
    oldest: Position | None
    lag: int | None


@dataclass(frozen=True, slots=True)
class Survey:
    """A stream at one moment: the highest id given out, the lowest still there, its groups, Redis' time."""

    top: Position
    first: Position
    length: int
    groups: Sequence[Progress]
    now_ms: int

    @property
    def confirmed_below(self) -> Position:
        """Below this everything is confirmed by all groups; what is trimmed was."""
        return max(self.first, min((group.confirmed_below for group in self.groups), default=START))


def ensure_groups(redis: Client, stream: str, groups: Iterable[str]) -> list[str]:
    """Create those of `groups` (and the stream) that are missing, to read from the start; returns them."""
    created = []
    for group in groups:
        try:
            redis.xgroup_create(stream, group, id="0", mkstream=True)
        except ResponseError as error:
            if not str(error).startswith("BUSYGROUP"):
                raise
        else:
            created.append(group)
    return created


def is_group_lost(error: ResponseError) -> bool:
    """Whether a read failed because stream or group is not there (any more)."""
    return str(error).startswith(("NOGROUP", "UNBLOCKED"))


def glance(redis: Client, stream: str) -> tuple[Position, int]:
    """The highest id the stream has given out and how many entries it has; 0-0 and 0 without a stream."""
    try:
        info = redis.xinfo_stream(stream)
    except ResponseError as error:
        if str(error) != NO_KEY:
            raise
        return START, 0
    return Position.parse(info["last-generated-id"]), info["length"]


def survey(redis: Client, stream: str) -> Survey:
    """`stream` with how far its groups are; raises ResponseError where there is no stream."""
    with redis.pipeline(transaction=True) as pipeline:
        pipeline.xinfo_stream(stream)
        pipeline.xinfo_groups(stream)
        pipeline.time()
        info, groups, (seconds, micros) = pipeline.execute()
    highest = Position.parse(info["last-generated-id"])
    return Survey(
        top=highest,
        length=info["length"],
        first=Position.parse(info["first-entry"][0]) if info["first-entry"] else highest.next,
        groups=[_progress(redis, stream, group) for group in groups],
        now_ms=seconds * 1000 + micros // 1000,
    )


def _progress(redis: Client, stream: str, group: dict[str, Any]) -> Progress:
    # What was delivered when the groups were listed is confirmed unless it is pending now: asking for the
    # pending ones afterwards can only find fewer, never miss one.
    name = group["name"].decode()
    delivered = Position.parse(group["last-delivered-id"])
    none: dict[str, Any] = {"pending": 0, "min": None}
    pending = redis.xpending(stream, name) if group["pending"] else none
    oldest = Position.parse(pending["min"]) if pending["min"] else None
    return Progress(
        name,
        delivered.next if oldest is None else min(oldest, delivered.next),
        pending["pending"],
        oldest,
        group["lag"],
    )
