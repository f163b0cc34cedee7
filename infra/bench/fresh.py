"""A fresh embedded start to measure, in a data directory of its own that is gone afterwards."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
import urllib3

from infra.host.ports import free_port

CHECKOUT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
START_TIMEOUT_S = 120.0
# Signing the tables' accounts up is not what is measured.
QUICK_SIGN_UPS = {"ACCOUNTS_ARGON2_MEMORY_KIB": "1024", "ACCOUNTS_ARGON2_PASSES": "1"}


@dataclass(frozen=True, slots=True)
class Fresh:
    """A running system: its gateway's port, the host's process, and how long the start took."""

    data: Path
    port: int
    pid: int
    started_s: float


@contextmanager
def fresh_system() -> Iterator[Fresh]:
    """A system just started and ready; raises `click.ClickException` when it does not get there."""
    data = Path(tempfile.mkdtemp(prefix="ninety-eight-bench-"))
    data.chmod(0o711)
    port = free_port()
    began = time.monotonic()
    host = subprocess.Popen(
        [sys.executable, "-m", "infra.host", "--data", str(data), "--port", str(port)],
        cwd=CHECKOUT,
        env=os.environ | QUICK_SIGN_UPS,
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait_ready(port, host)
        yield Fresh(data, port, host.pid, time.monotonic() - began)
    finally:
        host.send_signal(signal.SIGINT)
        host.wait(30)
        shutil.rmtree(data, ignore_errors=True)


def _wait_ready(port: int, host: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and host.poll() is None:
        try:
            if urllib3.request("GET", f"http://{HOST}:{port}/ready", retries=False, timeout=2).status == 200:
                return
        except urllib3.exceptions.HTTPError:
            pass
        time.sleep(0.1)
    raise click.ClickException("the system did not become ready")
