"""Owns all listeners of this process, by game: who is let in, and whom news of a game reaches."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from time import monotonic

from gateway.live import metrics
from gateway.live.listener import Listener
from gateway.live.rights import Ended, Holder

# Longer than a right can be on its way from sessions into the hall.
REMEMBER_S = 15.0
REMEMBER_MOST = 10_000

Room = set[Listener]


class Full(Exception):
    """There is no place for one more stream of this bearer."""


class Hall:
    """`changed` is called with a game's id whenever somebody comes or goes; `size` is how many there are."""

    def __init__(
        self,
        per_bearer: int,
        *,
        changed: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.changed = changed
        self._per_bearer = per_bearer
        self._clock = clock
        self._rooms: dict[str, Room] = {}
        self._held: Counter[str] = Counter()
        self._ended: deque[tuple[float, Ended]] = deque(maxlen=REMEMBER_MOST)
        self.size = 0

    @property
    def games(self) -> Iterator[str]:
        """The games that somebody listens to."""
        return iter(list(self._rooms))

    def listeners(self, game_id: str) -> list[Listener]:
        """The listeners to one game; safe against their coming and going."""
        return list(self._rooms.get(game_id, ()))

    def everybody(self) -> list[Listener]:
        """All listeners."""
        return [listener for room in self._rooms.values() for listener in room]

    def join(self, listener: Listener) -> None:
        """Let a listener in; raises Full. A right that has just ended ends the stream at once."""
        holder = listener.holder
        if self._held[holder.bearer] >= self._per_bearer:
            raise Full
        self._held[holder.bearer] += 1
        self._rooms.setdefault(holder.game_id, set()).add(listener)
        if self._has_just_ended(holder):
            listener.end("unauthenticated")
        self._count(+1)
        self.changed(holder.game_id)

    def leave(self, listener: Listener) -> None:
        """Let a listener out."""
        holder = listener.holder
        room = self._rooms[holder.game_id]
        room.remove(listener)
        if not room:
            del self._rooms[holder.game_id]
        self._held[holder.bearer] -= 1
        if not self._held[holder.bearer]:
            del self._held[holder.bearer]
        self._count(-1)
        self.changed(holder.game_id)

    def end_rights(self, ended: Ended) -> None:
        """End the streams whose right `ended` takes away, also of those who are still on their way in."""
        self._ended.append((self._clock(), ended))
        for listener in self.everybody():
            if ended.ends(listener.holder):
                listener.end("unauthenticated")

    def doubt(self) -> None:
        """Something may have been missed: everybody reads the log again, which also checks each right."""
        for listener in self.everybody():
            listener.doubt()

    def _count(self, more: int) -> None:
        self.size += more
        metrics.LISTENERS.set(self.size)

    def _has_just_ended(self, holder: Holder) -> bool:
        # Sessions' answer may be a moment old: the news of the end may have come before the holder did.
        while self._ended and self._clock() - self._ended[0][0] > REMEMBER_S:
            self._ended.popleft()
        return any(ended.ends(holder) for _, ended in self._ended)
