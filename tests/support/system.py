"""A whole running system as tests see it: an address, and parts that can be broken."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Protocol

import psycopg
import urllib3

from infra.host.ports import free_port
from tests.support.waiting import until

CHECKOUT = Path(__file__).resolve().parents[2]
READY_S = 90.0
# Passwords are hashed for real, but cheaply: tests sign up by the hundred.
QUICK = {
    "ACCOUNTS_ARGON2_MEMORY_KIB": "1024",
    "ACCOUNTS_ARGON2_PASSES": "1",
    "ACCOUNTS_SIGN_UPS_PER_HOUR": "100000",
    "ACCOUNTS_FAILED_SIGN_INS": "10",
    "GATEWAY_GUESSES": "100000",
}


class System(Protocol):
    """What every target offers, embedded or in containers. Parts are named as the host names them."""

    url: str

    def kill(self, part: str) -> None:
        """SIGKILL `part` and everything it started; something restarts it."""

    def pause(self, part: str) -> None:
        """Freeze `part`: it keeps its connections and answers nothing."""

    def resume(self, part: str) -> None:
        """Let a paused part go on."""

    def wait_ready(self, timeout_s: float = READY_S) -> None:
        """Wait until the gateway says that all behind it is ready."""

    def run(self, *arguments: str) -> str:
        """Run `python -m ARGUMENTS` as an operator would and return what it prints."""

    def administer(self, database: str, statement: str) -> None:
        """Run an SQL statement as the administrator of the databases, past every service."""

    def keys(self) -> Path:
        """A folder with the private keys that tokens are signed with, for tests that forge them."""


def is_ready(url: str) -> bool:
    """Whether the gateway at `url` says that it and all behind it are ready."""
    try:
        return urllib3.request("GET", f"{url}/ready", retries=False, timeout=3).status == 200
    except urllib3.exceptions.HTTPError:
        return False


class EmbeddedSystem:
    """The host as `make run` starts it, on a data directory and a port of its own."""

    def __init__(
        self, data: Path, environment: dict[str, str] | None = None, port: int | None = None
    ) -> None:
        self.data = data
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = QUICK | (environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *, wait: bool = True) -> None:
        """Start the host and wait until it is ready."""
        self.data.mkdir(parents=True, exist_ok=True)
        with (self.data / "host.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "infra.host", "--data", str(self.data), "--port", str(self.port)],
                cwd=CHECKOUT,
                env=os.environ | self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        if wait:
            try:
                self.wait_ready()
            except BaseException:
                self.stop()  # nobody gets to know it who could end it
                raise

    def wait_ready(self, timeout_s: float = READY_S) -> None:
        def ready() -> bool:
            assert self._process is not None
            assert self._process.poll() is None, f"the host ended:\n{self.log()}"
            return is_ready(self.url)

        until(ready, timeout_s, "the system is ready")

    def administer(self, database: str, statement: str) -> None:
        url = self.variable("ADMINISTRATOR_DATABASE_URL")
        with psycopg.connect(url, dbname=database) as connection:
            connection.execute(statement.encode())

    def keys(self) -> Path:
        return self.data / "keys"

    def stop(self) -> int:
        """End the host as Ctrl-C does; returns its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(30)

    @property
    def host_pid(self) -> int:
        """The process of the host, which all others descend from."""
        assert self._process is not None
        return self._process.pid

    def end(self) -> None:
        """End the host if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self.stop()

    def wait_ended(self, timeout_s: float = 30.0) -> int:
        """Wait until the host ends by itself; returns its exit code."""
        assert self._process is not None
        return self._process.wait(timeout_s)

    def kill_host(self) -> None:
        """SIGKILL the host itself."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)

    def log(self, part: str | None = None) -> str:
        """The last lines of the host's log, or of a part's."""
        path = self.data / "log" / f"{part}.log" if part else self.data / "host.log"
        return "\n".join(path.read_text(errors="replace").splitlines()[-40:]) if path.exists() else ""

    def pid(self, part: str) -> int:
        """The process that leads `part`; waits for one while it is being restarted."""

        def found() -> int | None:
            parts = json.loads((self.data / "run" / "parts.json").read_text())
            return int(parts[part]["pid"]) if parts[part]["pid"] else None

        pid = until(found, 20, f"{part} has a process")
        assert pid is not None
        return pid

    def restarts(self, part: str) -> int:
        """How often the host has started `part` again."""
        parts = json.loads((self.data / "run" / "parts.json").read_text())
        return int(parts[part]["restarts"])

    def kill(self, part: str) -> None:
        os.killpg(os.getpgid(self.pid(part)), signal.SIGKILL)

    def pause(self, part: str) -> None:
        os.killpg(os.getpgid(self.pid(part)), signal.SIGSTOP)

    def resume(self, part: str) -> None:
        os.killpg(os.getpgid(self.pid(part)), signal.SIGCONT)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=CHECKOUT,
            env=os.environ | self.environment | {"DATA_DIR": str(self.data)},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def variable(self, name: str) -> str:
        """A variable of the running host, such as an address with its password."""
        return str(json.loads((self.data / "run" / "environment.json").read_text())[name])


def scratch_folder() -> Path:
    """A folder below the system's temporary one that the embedded servers' own user can reach."""
    folder = Path(tempfile.mkdtemp(prefix="ninety-eight-"))
    folder.chmod(0o711)
    return folder


def remove(folder: Path) -> None:
    """Remove a scratch folder."""
    shutil.rmtree(folder, ignore_errors=True)
