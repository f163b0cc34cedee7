"""The life of the host: lock, servers, migrations, every part, watching, and the end in order."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from infra.host import journal
from infra.host.data_folder import DataFolder
from infra.host.guarding import Guardian
from infra.host.logs import rotate
from infra.host.one_shot import run_steps
from infra.host.parts import GATEWAY, MIGRATIONS, PARTS, Layer, Part
from infra.host.ports import free_port, reserve
from infra.host.python_part import PythonPart
from infra.host.servers import Servers, choose
from infra.host.signals import Signals
from infra.host.supervisor import Say, Supervisor
from infra.host.wiring import environment_of, internal_variables

LOOK_EVERY_S = 0.2
PROGRESS_EVERY_S = 5.0
ROTATE_EVERY_S = 10.0


class PortTaken(Exception):
    """The public port is in use."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: `parts` after `steps`, the edge on `address`:`port`, everything kept below `root`."""

    root: Path
    port: int
    address: str = "127.0.0.1"
    steps: Sequence[Part] = MIGRATIONS
    parts: Sequence[Part] = PARTS


class Host:
    def __init__(self, plan: Plan, given: Mapping[str, str], say: Say) -> None:
        """`given` is the environment that parts inherit from; `say` gets lines for the operator."""
        self._plan, self._given, self._say = plan, given, say
        self._folder = DataFolder(plan.root.absolute())
        self._signals = Signals()

    def run(self) -> None:
        """Until asked to end. Raises what keeps it from starting; messages are for the operator."""
        began_s = time.monotonic()
        self._folder.create()
        lock = self._folder.lock()
        try:
            held = reserve(self._plan.port, self._plan.address)
        except OSError as error:
            raise PortTaken(
                f"port {self._plan.port} is in use by another program: choose another --port"
            ) from error
        servers = choose(self._folder.root, self._given)
        wired, parts = self._wire(servers)
        with Guardian(self._folder, lock) as guardian:
            supervisor = Supervisor(
                [*servers.embedded, *parts],
                say=self._say,
                launched=guardian.launched,
                ended=guardian.ended,
                utc=lambda: datetime.now(UTC).isoformat(timespec="seconds"),
            )
            try:
                self._start_servers(servers, supervisor, began_s)
                self._migrate(wired)
                self._start_parts(supervisor)
                journal.record_environment(self._folder, wired)
                self._watch(supervisor, began_s)
            finally:
                self._end(supervisor)
                held.close()
        os.close(lock)

    def _wire(self, servers: Servers) -> tuple[dict[str, str], list[PythonPart]]:
        ports = {part.name: free_port() for part in self._plan.parts} | {GATEWAY: self._plan.port}
        public_url = self._given.get("PUBLIC_URL") or f"http://{self._plan.address}:{self._plan.port}"
        at = {name: f"http://127.0.0.1:{number}" for name, number in ports.items()}
        wired = dict(servers.variables) | internal_variables(at, self._folder.keys, public_url)
        return wired, [self._python_part(part, wired, ports[part.name]) for part in self._plan.parts]

    def _python_part(self, part: Part, wired: Mapping[str, str], port: int) -> PythonPart:
        environment = environment_of(part, self._given, wired)
        if part.name == GATEWAY:
            environment["HOST"] = self._plan.address
        log = self._folder.log / f"{part.name}.log"
        return PythonPart(part, environment, port, log, self._folder.run / "metrics" / part.name)

    def _start_servers(self, servers: Servers, supervisor: Supervisor, began_s: float) -> None:
        for server, it in zip(servers.embedded, supervisor.watched, strict=False):
            if self._signals.asked:
                return
            server.start()
            supervisor.adopt(it, time.monotonic())
            self._say(f"{server.name} is ready ({time.monotonic() - began_s:.1f} s)")

    def _migrate(self, wired: Mapping[str, str]) -> None:
        if self._signals.asked:
            return
        steps = [(part, environment_of(part, self._given, wired)) for part in self._plan.steps]
        run_steps(steps, log=self._folder.log, is_asked_to_end=self._signals.wait_unless_asked)

    def _start_parts(self, supervisor: Supervisor) -> None:
        for it in supervisor.watched:
            if it.member.layer is not Layer.SERVERS and not self._signals.asked:
                supervisor.start(it, time.monotonic())

    def _watch(self, supervisor: Supervisor, began_s: float) -> None:
        is_announced = False
        progress_s, rotate_s = began_s + PROGRESS_EVERY_S, began_s + ROTATE_EVERY_S
        journal.record_parts(self._folder, supervisor.watched)
        while not self._signals.wait_unless_asked(LOOK_EVERY_S):
            now_s = time.monotonic()
            if supervisor.step(now_s):
                journal.record_parts(self._folder, supervisor.watched)
            if not is_announced and not supervisor.waiting_for:
                is_announced = True
                self._say(f"ready in {now_s - began_s:.1f} s: http://{self._plan.address}:{self._plan.port}")
            if not is_announced and now_s >= progress_s:
                progress_s = now_s + PROGRESS_EVERY_S
                self._say(f"{now_s - began_s:.0f} s, waiting for {', '.join(supervisor.waiting_for)}")
            if now_s >= rotate_s:
                rotate_s = now_s + ROTATE_EVERY_S
                rotate(self._folder.log)

    def _end(self, supervisor: Supervisor) -> None:
        if self._signals.asked:
            self._say("ending")
        journal.forget(self._folder)
        for _ in supervisor.ending(time.monotonic, lambda: self._signals.asked > 1):
            self._signals.wait(LOOK_EVERY_S)
        if self._signals.asked:
            self._say("ended; data is kept")
