"""A machine with the command line on it, its files in a home of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

PASSWORD = "correct horse battery"
NINETY8 = Path(sys.executable).parent / "ninety8"


@dataclass(frozen=True)
class Terminal:
    """One machine with a home of its own; each call is a process of its own."""

    url: str
    home: Path
    email: str = field(default_factory=lambda: f"{uuid4().hex}@example.org")

    def run(self, *words: str, stdin: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run `ninety8 WORDS`, which has to end with exit code `code`."""
        environment = os.environ | {"NINETY8_HOME": str(self.home), "NINETY8_URL": self.url}
        done = subprocess.run(
            [NINETY8, *words],
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done

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
