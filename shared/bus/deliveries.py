"""Owns one consumer's side of a group: what Redis hands it, takes back as confirmed, or buries."""

from dataclasses import dataclass
from typing import Any

from redis.exceptions import ResponseError

from shared.bus.connections import Client, Connections
from shared.bus.dead_letters import burial
from shared.bus.groups import ensure_groups, is_group_lost


class GroupLost(Exception):
    """Stream or group is not there (any more)."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """An entry handed to this consumer the `times`th time; `fields` empty where the stream has lost it."""

    entry_id: str
    fields: dict[bytes, bytes]
    times: int


class Deliveries:
    """Entries of `stream` for the consumer `name` of `group`; `claim_idle_s` as in `claim_abandoned`."""

    def __init__(
        self, connections: Connections, stream: str, group: str, name: str, claim_idle_s: float
    ) -> None:
        self._connections = connections
        self._stream = stream
        self._group = group
        self._name = name
        self._claim_idle_ms = int(claim_idle_s * 1000)

    def ensure_group(self) -> None:
        """Create the group, to read the stream from its start, where it is missing."""
        ensure_groups(self._connections.commands, self._stream, [self._group])

    def new(self, count: int, block_s: float) -> list[Delivery]:
        """Up to `count` entries never delivered before, waiting for the first one; raises GroupLost."""
        entries = self._read(self._connections.blocking, ">", count, int(block_s * 1000))
        return [Delivery(entry_id.decode(), fields, 1) for entry_id, fields in entries]

    def first_pending(self) -> Delivery | None:
        """The oldest entry delivered and not confirmed, delivered once more; raises GroupLost.

        One at a time, so that an entry that kills the process is charged with it and not its neighbours.
        """
        entries = self._read(self._connections.commands, "0", 1, None)
        if not entries:
            return None
        entry_id, fields = entries[0]
        known = self._connections.commands.xpending_range(
            self._stream, self._group, entry_id, entry_id, 1, self._name
        )
        return Delivery(entry_id.decode(), fields or {}, known[0]["times_delivered"] if known else 1)

    def claim_abandoned(self) -> int:
        """Take over what other consumers of the group have left unconfirmed for too long; returns how many.

        It does not count as a delivery.
        """
        cursor, claimed = "0-0", 0
        while True:
            reply: Any = self._connections.commands.execute_command(
                "XAUTOCLAIM", self._stream, self._group, self._name, self._claim_idle_ms, cursor, "JUSTID"
            )
            cursor, claimed = reply[0].decode(), claimed + len(reply[1])
            if cursor == "0-0":
                return claimed

    def confirm(self, entry_ids: list[str]) -> None:
        """Acknowledge."""
        if entry_ids:
            self._connections.commands.xack(self._stream, self._group, *entry_ids)

    def uncount(self, delivery: Delivery) -> None:
        """Have the delivery not counted: it failed for a reason that is not the entry's."""
        self._connections.commands.xclaim(
            self._stream,
            self._group,
            self._name,
            0,
            [delivery.entry_id],
            retrycount=delivery.times - 1,
            justid=True,
        )

    def bury(self, delivery: Delivery, error: str) -> None:
        """Move the entry to the dead letters and acknowledge it, both or neither."""
        with self._connections.commands.pipeline(transaction=True) as both:
            burial(both, self._stream, self._group, delivery.entry_id, delivery.fields, error, delivery.times)
            both.xack(self._stream, self._group, delivery.entry_id)
            both.execute()

    def _read(self, redis: Client, start: str, count: int, block_ms: int | None) -> list[Any]:
        try:
            found = redis.xreadgroup(
                self._group, self._name, {self._stream: start}, count=count, block=block_ms
            )
        except ResponseError as error:
            if is_group_lost(error):
                raise GroupLost from error
            raise
        entries: list[Any] = found.get(self._stream.encode(), [])
        return entries
