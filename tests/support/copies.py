"""A device's own copy of a log, kept from its live stream through whatever breaks on the way."""

import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from tests.support.api import Api, Json
from tests.support.streams import Connection, Cut

PATIENCE_S = 20.0
PAUSE_S = 0.02
# What can keep a reader away for a while without being an answer.
AWAY = (429, 502, 503, 504)


@dataclass(frozen=True, slots=True)
class View:
    """What a device knows at one moment: the table after its last entry, and what undo and redo take."""

    version: int
    table: Json
    result: Json | None
    undo: Json | None
    redo: Json | None

    @property
    def game(self) -> Json:
        """As far as moves look at one."""
        return {"version": self.version, "table": self.table, "undo": self.undo, "redo": self.redo}


class LogCopy:
    """Follows the stream of `game` and takes it up again after its last entry; `with LogCopy(...) as copy`.

    Every entry must come exactly once and in order, over all connections; the first that does not is an error
    for everyone who waits.
    """

    def __init__(self, api: Api, game: Json, device: str | None = None) -> None:
        self.entries: list[Json] = []
        self.tables: list[Json] = [game["table"]]
        self.results: list[Json | None] = [game["result"]]
        self.connections = 0
        self._api = api
        self._game_id = game["id"]
        self._device = device
        self._error: BaseException | None = None
        self._moved = threading.Condition()
        self._stop = threading.Event()
        self._current: Connection | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._current is not None:
            self._current.hang_up()
        self._thread.join(PATIENCE_S)

    @property
    def view(self) -> View:
        with self._moved:
            undo, redo = standing(self.entries)
            return View(len(self.entries), self.tables[-1], self.results[-1], undo, redo)

    def has(self, version: int, within_s: float) -> bool:
        """Whether the entry with that seq comes within so many seconds."""
        with self._moved:
            self._moved.wait_for(lambda: self._error or len(self.entries) >= version, within_s)
            if self._error is not None:
                raise self._error
            return len(self.entries) >= version

    def wait_for(self, version: int, timeout_s: float = PATIENCE_S) -> None:
        assert self.has(version, timeout_s), f"{len(self.entries)} entries instead of {version}"

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                with suppress(Cut):
                    self._follow()
                self._stop.wait(PAUSE_S)
        except BaseException as error:
            with self._moved:
                self._error = error
                self._moved.notify_all()
            raise

    def _follow(self) -> None:
        """Read one connection to its end."""
        last_id = len(self.entries) or None
        with Connection(self._api, self._game_id, last_id=last_id, device=self._device) as self._current:
            if refused := self._current.refused:
                assert refused.status in AWAY, (refused.status, refused.body)
                return
            self.connections += 1
            if self._stop.is_set():
                return
            for frame in self._current.frames():
                if frame.event == "entry":
                    self._take(frame.id, frame.json)

    def _take(self, frame_id: str | None, data: Json) -> None:
        expected = len(self.entries) + 1
        assert (frame_id, data["entry"]["seq"]) == (str(expected), expected), "each entry once, in order"
        with self._moved:
            self.entries.append(data["entry"])
            self.tables.append(data["table"])
            self.results.append(data["result"])
            self._moved.notify_all()


def standing(log: list[Json]) -> tuple[Json | None, Json | None]:
    """What undo and redo would take after `log`, worked out anew."""
    counting: list[Json] = []
    taken_off: list[Json] = []
    for entry in log:
        match entry["action"]["type"]:
            case "undo":
                taken_off.append(counting.pop())
            case "redo":
                counting.append(taken_off.pop())
            case _:
                counting.append(entry["action"])
                taken_off = []
    return _last(counting), _last(taken_off)


def _last(actions: list[Json]) -> Json | None:
    return {"target": actions[-1]["id"], "type": actions[-1]["type"]} if actions else None


def facts(log: list[Json]) -> list[Json]:
    """Entries without `effective`, which later ones change."""
    return [{name: value for name, value in entry.items() if name != "effective"} for entry in log]
