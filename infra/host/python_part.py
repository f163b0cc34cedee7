"""One of the project's own processes: started from its part's data, asked over HTTP whether it is ready."""

import http.client
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from infra.host.parts import Part
from infra.host.ports import free_port
from infra.host.process import describe_end, end, spawn

CHECKOUT = Path(__file__).resolve().parents[2]
PROBE_TIMEOUT_S = 2.0


class PythonPart:
    """The process of `part`, listening on 127.0.0.1:`port`, writing to `log`."""

    def __init__(
        self, part: Part, environment: Mapping[str, str], port: int, log: Path, metrics: Path
    ) -> None:
        self.name = part.name
        self.layer = part.layer
        self.port = port
        self.metrics_port = free_port() if part.has_metrics_apart else port
        self.log = log
        self._part = part
        self._metrics = metrics
        self._environment = dict(environment) | {part.port_variable: str(port)}
        self._environment["PROMETHEUS_MULTIPROC_DIR"] = str(metrics)
        if part.has_metrics_apart:
            self._environment["METRICS_PORT"] = str(self.metrics_port)
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", self._part.module, self._part.verb]

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self.is_running else None

    @property
    def is_running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    @property
    def ending(self) -> str:
        """How the process ended, for a person."""
        return describe_end(self._child)

    def launch(self) -> None:
        """Start it, its counters empty; workers that an earlier one left are gone first."""
        self.clear()
        shutil.rmtree(self._metrics, ignore_errors=True)
        self._metrics.mkdir(parents=True)
        with self.log.open("ab") as output:
            self._child = spawn(self.command, environment=self._environment, folder=CHECKOUT, output=output)

    def is_ready(self) -> bool:
        return self._answers(self._part.ready_path)

    def is_live(self) -> bool:
        return self._answers("/live")

    def ask_to_end(self) -> None:
        """SIGTERM to the first process, which tells its workers."""
        if self._child is not None and self.is_running:
            self._child.terminate()

    def clear(self) -> None:
        """SIGKILL to all its process group: what is hung, or what a dead first process left behind."""
        if self._child is not None:
            end(self._child, ())

    def _answers(self, path: str) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PROBE_TIMEOUT_S)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
