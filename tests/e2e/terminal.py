"""A machine with the command line on it, its files in a home of its own."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.support.waiting import until

PASSWORD = "correct horse battery"
NINETY8 = Path(sys.executable).parent / "ninety8"


@dataclass(frozen=True)
class Running:
    """A command that goes on, and what it has printed so far."""

    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def out(self) -> str:
        return (self.folder / "out").read_text(encoding="utf-8")

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text(encoding="utf-8")

    def shows(self, text: str, timeout_s: float = 15.0) -> None:
        """Wait until it has printed `text`."""
        until(lambda: text in self.out + self.err, timeout_s, f"{text!r} in\n{self.out}{self.err}")

    def interrupt(self) -> int:
        """Ctrl-C; its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(15)


@dataclass(frozen=True)
class Terminal:
    """One machine with a home of its own; each call is a process of its own."""

    url: str
    home: Path
    email: str = field(default_factory=lambda: f"{uuid4().hex}@example.org")

    def run(self, *words: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run `ninety8 WORDS`, which has to end with exit code `code`."""
        done = subprocess.run(
            [NINETY8, *words],
            env=self._environment(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    @contextmanager
    def running(self, *words: str) -> Iterator["Running"]:
        """`ninety8 WORDS` while it runs; Ctrl-C ends it, if nothing else has."""
        folder = self.home.parent / f"{self.home.name}-{uuid4().hex}"
        folder.mkdir()
        with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
            process = subprocess.Popen([NINETY8, *words], env=self._environment(), stdout=out, stderr=err)
        found = Running(process, folder)
        try:
            yield found
        finally:
            if process.poll() is None:
                found.interrupt()

    def _environment(self) -> dict[str, str]:
        return os.environ | {"NINETY8_HOME": str(self.home), "NINETY8_URL": self.url}

    def __call__(self, *words: str, stdin: str = "") -> str:
        """What `ninety8 WORDS` prints."""
        return self.run(*words, stdin=stdin).stdout

    def read(self, *words: str, stdin: str = "") -> Any:
        """The document that `ninety8 --json WORDS` prints."""
        return json.loads(self("--json", *words, stdin=stdin))

    def refused(self, *words: str, stdin: str = "") -> str:
        """What `ninety8 WORDS` says when it is refused."""
        return self.run(*words, stdin=stdin, code=1).stderr

    def sign_up(self) -> "Terminal":
        self("sign-up", self.email, "--name", "Ana", "--password-stdin", stdin=PASSWORD + "\n")
        return self

    def sign_in(self, email: str, password: str = PASSWORD) -> "Terminal":
        self("sign-in", email, "--password-stdin", stdin=password + "\n")
        return self
