"""The README's first command, from a clone, as somebody who has Python and nothing else."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from infra.host.ports import free_port
from tests.support.system import CHECKOUT, is_ready, remove, scratch_folder
from tests.support.waiting import until

PATH = "/usr/local/bin:/usr/bin:/bin"
NOBODY = 65534
INSTALL_AND_START_S = 400.0


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of the ordinary user's own, who is nobody when the tests run as root."""
    if os.environ.get("TARGET", "embedded") != "embedded":
        pytest.skip("runs on this machine")
    python = shutil.which("python3", path=PATH)
    if python is None or subprocess.run([python, "-c", "import ensurepip, tomllib"], check=False).returncode:
        pytest.skip("this machine has no Python 3.11 with venv for everyone")
    found = scratch_folder()
    yield found
    remove(found)


class Somebody:
    """Runs commands in `folder` without anything of the tests' own environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"PATH": PATH, "HOME": str(folder), "LANG": "C.UTF-8"}
        self.user = NOBODY if os.geteuid() == 0 else None

    def start(self, *command: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=self.folder / "ninety-eight",
            env=self.environment,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def test_make_run_becomes_ready_and_the_demo_wins(folder: Path) -> None:
    subprocess.run(["git", "clone", "-q", str(CHECKOUT), str(folder / "ninety-eight")], check=True)
    somebody = Somebody(folder)
    if somebody.user is not None:
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", str(folder)], check=True)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    host = somebody.start("make", "run", f"PORT={port}")
    try:
        until(lambda: is_ready(url) or host.poll() is not None, INSTALL_AND_START_S, "make run is ready")
        assert host.poll() is None, host.communicate()[0]
        demo = somebody.start(".venv/bin/ninety8", "--url", url, "demo")
        said = demo.communicate(timeout=120)[0]
        assert demo.returncode == 0, said
        assert "Won: no card left." in said
    finally:
        os.killpg(host.pid, signal.SIGINT)
        said = host.communicate(timeout=60)[0]
    assert "ended; data is kept" in said
    assert not is_ready(url)
