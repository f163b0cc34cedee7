"""The gateway as a process of its own."""

import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from http.client import HTTPConnection

from gateway.settings import Settings
from infra.host.ports import free_port
from shared.settings import CHECKOUT

START_S = 20


@dataclass
class Gateway:
    """`python -m gateway web`, waited for."""

    settings: Settings

    def __post_init__(self) -> None:
        self.port, self.metrics_port = free_port(), free_port()
        environment = os.environ | {
            "DATA_DIR": "/dev/null",
            "GATEWAY_RULES_URL": self.settings.rules_url,
            "GATEWAY_SESSIONS_URL": self.settings.sessions_url,
            "GATEWAY_ACCOUNTS_URL": self.settings.accounts_url,
            "GATEWAY_LIVE_URL": self.settings.live_url,
            "GATEWAY_REDIS_URL": self.settings.redis_url,
            "METRICS_PORT": str(self.metrics_port),
            "PORT": str(self.port),
            "WEB_WORKERS": str(self.settings.workers),
            "WEB_THREADS": "8",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "gateway", "web"], env=environment, cwd=CHECKOUT, stderr=subprocess.PIPE
        )
        self._wait()

    def connect(self, port: int | None = None) -> HTTPConnection:
        """A connection to the public port, or to another."""
        return HTTPConnection("127.0.0.1", port or self.port, timeout=10)

    def socket(self) -> socket.socket:
        """A bare connection to the public port."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    @property
    def pid(self) -> int:
        return self._process.pid

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def wait_ended(self, timeout_s: float) -> int:
        """Its exit code, when it ends within `timeout_s` seconds."""
        return self._process.wait(timeout_s)

    def stop(self) -> str:
        """End it; what it wrote to standard error."""
        self._process.terminate()
        _, errors = self._process.communicate(timeout=20)
        return errors.decode()

    def _wait(self) -> None:
        deadline = time.monotonic() + START_S
        while True:
            try:
                connection = self.connect()
                connection.request("GET", "/live")
                assert connection.getresponse().status == 200
            except OSError:
                assert self._process.poll() is None, self.stop()
                assert time.monotonic() < deadline, self.stop()
            else:
                return
