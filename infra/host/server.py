"""What embedded servers have in common: start and wait, stop, and the faults that tests put them to."""

import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from infra.host.logs import last_lines
from infra.host.owner import private_folder, server_uid
from infra.host.parts import Layer
from infra.host.ports import free_port
from infra.host.process import POLL_S, clear_leftovers, describe_end, end, signal_tree, spawn, wait

START_TIMEOUT_S = 60.0


class ServerFailed(Exception):
    """A server did not become ready; the message holds the end of its log."""


class EmbeddedServer(ABC):
    """One server process below `folder`, listening on 127.0.0.1:`port` (None: a free one, for good).

    The caller holds the lock of the data directory and calls from a thread that outlives the server.
    """

    name: ClassVar[str]
    layer: ClassVar[Layer] = Layer.SERVERS
    metrics_port: ClassVar[int | None] = None
    stop_steps: ClassVar[Sequence[tuple[signal.Signals, float]]]

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder = folder.absolute()
        self.port = port or free_port()
        self.log = self.folder.parent / "log" / f"{self.name}.log"
        self.uid = server_uid(self.folder)
        self._child: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def executable(self) -> Path:
        """The server's binary."""

    @abstractmethod
    def prepare(self) -> Path:
        """Bring the files to what `command` needs; answers the folder that the server works in."""

    @abstractmethod
    def command(self) -> Sequence[str]:
        """The command line, its first word absolute."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether a client is answered now."""

    @property
    def pid(self) -> int | None:
        """Of the server's first process while it lives."""
        return self._child.pid if self._child is not None and self.is_running else None

    @property
    def is_running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def start(self, timeout_s: float = START_TIMEOUT_S) -> None:
        """Start on the data that is there (made at the first time) and wait until clients are answered.

        Raises ServerFailed when it ends or is not ready within `timeout_s` seconds.
        """
        if self.is_running:
            return
        self.launch()
        deadline = time.monotonic() + timeout_s
        while not self.is_ready():
            if not self.is_running:
                raise ServerFailed(f"{self.name} ended while starting:\n{last_lines(self.log)}")
            if time.monotonic() > deadline:
                self.stop()
                raise ServerFailed(
                    f"{self.name} was not ready after {timeout_s:.0f} s:\n{last_lines(self.log)}"
                )
            time.sleep(POLL_S)
        self.settle()

    def launch(self) -> None:
        """Start without waiting."""
        self.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        private_folder(self.folder, self.uid)
        clear_leftovers(self.folder, self.executable)
        place = self.prepare()
        with self.log.open("ab") as output:
            self._child = spawn(
                self.command(),
                environment={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "TZ": "UTC"},
                folder=place,
                output=output,
                uid=self.uid,
                death_signal=self.stop_steps[0][0],
            )

    def settle(self) -> None:
        """What has to be done on the ready server: nothing, unless a server says so."""
        return

    def stop(self) -> None:
        """End in order, everything on disk."""
        if self._child is not None:
            self.resume()
            end(self._child, self.stop_steps)

    def kill(self) -> None:
        """SIGKILL to all its processes at once, as a crash of the machine would."""
        if self._child is not None and self.is_running:
            signal_tree(self._child.pid, signal.SIGKILL)
            wait(self._child, START_TIMEOUT_S)

    def restart(self) -> None:
        """Stop in order and start again on the same port and data; also after `kill`."""
        self.stop()
        self.start()

    def pause(self) -> None:
        """SIGSTOP to all its processes: connections stay open and nothing answers."""
        if self._child is not None and self.is_running:
            signal_tree(self._child.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        if self._child is not None and self.is_running:
            signal_tree(self._child.pid, signal.SIGCONT)

    def is_live(self) -> bool:
        """Whether a client is answered, and nothing less: a server has no life short of that."""
        return self.is_ready()

    @property
    def ending(self) -> str:
        """How it ended last, for a person."""
        return describe_end(self._child)

    def ask_to_end(self) -> None:
        """The first of the signals that `stop` uses, without waiting."""
        if self._child is not None and self.is_running:
            self.resume()
            self._child.send_signal(self.stop_steps[0][0])

    def clear(self) -> None:
        """Kill what is left of it."""
        if self._child is not None:
            end(self._child, ())
