"""Keeps every member running: restarts with growing pauses, names what keeps failing, ends in order."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from infra.host.logs import last_lines
from infra.host.member import Member
from infra.host.parts import Layer

FIRST_DELAY_S = 0.2
LONGEST_DELAY_S = 10.0
STEADY_S = 30.0
NAMED_AFTER = 4
LIVE_EVERY_S = 10.0
SILENT_LIMIT = 6
END_BUDGET_S = {Layer.EDGE: 3.0, Layer.SERVICES: 6.0, Layer.SERVERS: 3.0}

Say = Callable[[str], None]


def delay_s(failures: int) -> float:
    """Seconds to wait before the start that follows `failures` ends in a row."""
    return min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** max(0, failures - 1))


@dataclass(slots=True)
class Watched:
    """One member and what has been seen of it; times are the host's monotonic seconds."""

    member: Member
    started_s: float = 0.0
    started_at: str | None = None
    next_start_s: float | None = None
    next_live_s: float = 0.0
    is_ready: bool = False
    restarts: int = 0
    failures: int = 0
    silent: int = 0


class Supervisor:
    """`say` gets lines for the operator, `launched` and `ended` process ids, `utc` tells the time as text."""

    def __init__(
        self,
        members: Sequence[Member],
        *,
        say: Say,
        launched: Callable[[int], object],
        ended: Callable[[int], object],
        utc: Callable[[], str],
    ) -> None:
        self.watched = [Watched(member) for member in members]
        self._say, self._launched, self._ended, self._utc = say, launched, ended, utc
        self._pids: dict[str, int] = {}

    @property
    def waiting_for(self) -> list[str]:
        return [it.member.name for it in self.watched if not it.is_ready]

    def start(self, it: Watched, now_s: float) -> None:
        it.member.launch()
        it.started_s, it.started_at, it.next_start_s = now_s, self._utc(), None
        it.is_ready, it.silent, it.next_live_s = False, 0, now_s + LIVE_EVERY_S
        self._note(it)

    def adopt(self, it: Watched, now_s: float) -> None:
        """Take over a member that somebody else started and found ready."""
        it.started_s, it.started_at, it.is_ready, it.next_live_s = (
            now_s,
            self._utc(),
            True,
            now_s + LIVE_EVERY_S,
        )
        self._note(it)

    def step(self, now_s: float) -> bool:
        """Look at every member once; whether anything changed that is worth writing down."""
        changed = [self._look(it, now_s) for it in self.watched]
        return any(changed)

    def _look(self, it: Watched, now_s: float) -> bool:
        if it.member.is_running:
            return self._look_at_running(it, now_s)
        if it.next_start_s is None:
            self._schedule(it, now_s)
            return True
        if now_s >= it.next_start_s:
            it.restarts += 1
            self.start(it, now_s)
            return True
        return False

    def _look_at_running(self, it: Watched, now_s: float) -> bool:
        if not it.is_ready:
            it.is_ready = it.member.is_ready()
            if it.is_ready and it.restarts:
                self._say(f"{it.member.name} is ready again")
            return it.is_ready
        if now_s - it.started_s > STEADY_S:
            it.failures = 0
        if now_s >= it.next_live_s:
            it.next_live_s = now_s + LIVE_EVERY_S
            it.silent = 0 if it.member.is_live() else it.silent + 1
            if it.silent >= SILENT_LIMIT:
                self._say(f"{it.member.name} has not answered {SILENT_LIMIT} times in a row: killing it")
                it.member.clear()
        return False

    def _schedule(self, it: Watched, now_s: float) -> None:
        self._forget(it)
        it.member.clear()
        it.is_ready = False
        it.failures += 1
        pause_s = delay_s(it.failures)
        it.next_start_s = now_s + pause_s
        self._say(f"{it.member.name} {it.member.ending}; starting it again in {pause_s:.1f} s")
        if it.failures % NAMED_AFTER == 0:
            self._say(
                f"{it.member.name} keeps ending ({it.failures} times in a row). Its log {it.member.log} ends:"
            )
            self._say(last_lines(it.member.log))

    def ending(self, now_s: Callable[[], float], is_forced: Callable[[], bool]) -> Iterator[Layer]:
        """End all, the highest layer first; yields while waiting. What is left after its budget is killed."""
        for layer in sorted(Layer, reverse=True):
            members = [it for it in self.watched if it.member.layer == layer]
            deadline_s = now_s() + END_BUDGET_S[layer]
            for it in members:
                it.member.ask_to_end()
            while any(it.member.is_running for it in members) and now_s() < deadline_s and not is_forced():
                yield layer
            for it in members:
                if it.member.is_running:
                    self._say(f"{it.member.name} did not end in time: killing it")
                it.member.clear()
                self._forget(it)

    def _note(self, it: Watched) -> None:
        if it.member.pid is not None:
            self._pids[it.member.name] = it.member.pid
            self._launched(it.member.pid)

    def _forget(self, it: Watched) -> None:
        pid = self._pids.pop(it.member.name, None)
        if pid is not None:
            self._ended(pid)
