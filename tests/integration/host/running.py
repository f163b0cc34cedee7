"""Starts a host with stand-ins as a real process and looks at it from outside."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import psutil

from infra.host.ports import free_port
from tests.support.waiting import until


class RunningHost:
    """A host on `data`; `said` is what it printed so far."""

    def __init__(self, data: Path, port: int | None = None, **environment: str) -> None:
        self.data = data
        self.port = port or free_port()
        self._output = data.with_name(f"{data.name}-{free_port()}.out")
        command = [sys.executable, "-m", "tests.integration.host.standin_host", str(data), str(self.port)]
        with self._output.open("wb") as output:
            self.process = subprocess.Popen(
                command, env=dict(os.environ) | environment, stdout=output, stderr=subprocess.STDOUT
            )

    @property
    def said(self) -> str:
        return self._output.read_text()

    @property
    def is_ready(self) -> bool:
        """Whether it has said so."""
        return f": http://127.0.0.1:{self.port}" in self.said

    def wait_until_ready(self) -> "RunningHost":
        until(lambda: self.is_ready or self.process.poll() is not None, 40, "the host to be ready")
        assert self.is_ready, self.said
        return self

    def parts(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = json.loads((self.data / "run" / "parts.json").read_text())
        return found

    def pid(self, part: str) -> int:
        return int(self.parts()[part]["pid"])

    def get(self, part: str, path: str) -> Any:
        url = f"http://127.0.0.1:{self.parts()[part]['port']}{path}"
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)

    def all_processes(self) -> list[psutil.Process]:
        """The host's whole family, whoever has adopted them by the time they are looked at."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, signum: signal.Signals = signal.SIGINT, timeout_s: float = 15) -> int:
        """Signal the host and answer its exit code."""
        self.process.send_signal(signum)
        return self.process.wait(timeout_s)


def is_gone(process: psutil.Process) -> bool:
    """Whether it has ended, also where nobody reaps it."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
