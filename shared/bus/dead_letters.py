"""Owns the dead letters: entries that a group could not handle, kept with their error for a person to see to.

They stand in the stream `dead.<stream>.<group>`. Replaying adds the event to its stream again with a field
`only` that names the group: the others confirm it unread, so that nothing depends on their inbox.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from shared.bus.connections import Client
from shared.bus.events import Event, MalformedEvent

EVENT = b"event"
ONLY = b"only"
_ERROR, _ENTRY, _TIMES = b"dead.error", b"dead.entry", b"dead.deliveries"
PAGE = 200
LONGEST_ERROR = 2_000


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One dead letter: `id` in its own stream, `entry_id` in the stream it comes from."""

    id: str
    entry_id: str
    deliveries: int
    error: str
    fields: dict[bytes, bytes]

    @property
    def event(self) -> Event | None:
        """The event, or None where it is not one."""
        try:
            return Event.from_json(self.fields.get(EVENT, b""))
        except MalformedEvent:
            return None


def dead_stream(stream: str, group: str) -> str:
    """Where the dead letters of a group stand."""
    return f"dead.{stream}.{group}"


def burial(
    pipeline: Any, stream: str, group: str, entry_id: str, fields: dict[bytes, bytes], error: str, times: int
) -> None:
    """Queue the command that adds a dead letter on `pipeline`."""
    why = {_ERROR: error[:LONGEST_ERROR], _ENTRY: entry_id, _TIMES: times}
    pipeline.xadd(dead_stream(stream, group), {**fields, **why})


class DeadLetters:
    """The dead letters of one group."""

    def __init__(self, redis: Client, stream: str, group: str) -> None:
        self._redis = redis
        self._stream = stream
        self._group = group
        self._dead = dead_stream(stream, group)

    def all(self) -> Iterable[DeadLetter]:
        """Every letter, oldest first."""
        start = "-"
        while page := self._redis.xrange(self._dead, min=start, count=PAGE):
            for entry_id, fields in page:
                yield _letter(entry_id, fields)
            start = f"({page[-1][0].decode()}"

    def replay(self, ids: Sequence[str]) -> int:
        """Give the letters with these ids to the group once more; returns how many there were."""
        return sum(self._replay(letter_id) for letter_id in ids)

    def drop(self, ids: Sequence[str]) -> int:
        """Delete the letters with these ids for good; returns how many there were."""
        return int(self._redis.xdel(self._dead, *ids)) if ids else 0

    def _replay(self, letter_id: str) -> bool:
        found = self._redis.xrange(self._dead, min=letter_id, max=letter_id)
        if not found:
            return False
        fields = {**_letter(*found[0]).fields, ONLY: self._group.encode()}
        with self._redis.pipeline(transaction=True) as both:
            both.xadd(self._stream, fields)
            both.xdel(self._dead, letter_id)
            both.execute()
        return True


def _letter(entry_id: bytes, fields: dict[bytes, bytes]) -> DeadLetter:
    rest = dict(fields)
    return DeadLetter(
        id=entry_id.decode(),
        error=rest.pop(_ERROR, b"").decode(),
        entry_id=rest.pop(_ENTRY, b"").decode(),
        deliveries=int(rest.pop(_TIMES, 0)),
        fields=rest,
    )
