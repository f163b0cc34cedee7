"""Makes `.venv` in the checkout and installs what a lock file names: `python3 install.py runtime|dev`.

Only the standard library, since it runs before anything is installed. Done again when a lock file or
pyproject.toml has changed, and only by one process at a time.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
VENV = CHECKOUT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)
INCLUDED = {"runtime": ("runtime",), "dev": ("dev", "runtime")}
QUIET = ("-qq", "--disable-pip-version-check", "--no-input", "--root-user-action=ignore")


def say(line: str) -> None:
    sys.stderr.write(f"ninety-eight: {line}\n")


def fingerprint(lock: str) -> str:
    """Of everything that decides what stands in `.venv` for `lock`."""
    digest = hashlib.sha256()
    for path in (CHECKOUT / "requirements" / f"{lock}.txt", CHECKOUT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_working() -> bool:
    """Whether `.venv` was made here, whole, and its Python still starts after upgrades of the system."""
    settings = VENV / "pyvenv.cfg"
    is_from_here = settings.exists() and str(VENV) in settings.read_text()
    is_whole = (VENV / "bin" / "pip").exists()
    return is_from_here and is_whole and subprocess.run([PYTHON, "-c", ""], check=False).returncode == 0


def make_environment() -> None:
    if find_spec("ensurepip") is None:
        raise SystemExit(
            "ninety-eight: this Python cannot make a virtual environment. On Debian and Ubuntu install the "
            "package python3-venv; elsewhere name another one: make PYTHON=/path/to/python3"
        )
    say("making .venv")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)


def pip(*arguments: str) -> None:
    done = subprocess.run([PYTHON, "-m", "pip", "install", *QUIET, *arguments], cwd=CHECKOUT, check=False)
    if done.returncode:
        raise SystemExit("ninety-eight: installing failed; the lines above say why")


def install(lock: str) -> None:
    """Bring `.venv` to `requirements/<lock>.txt`, unless it is there already."""
    stamp = VENV / f".installed-{lock}"
    if is_working() and stamp.exists() and stamp.read_text() == fingerprint(lock):
        return
    if not is_working():
        make_environment()
    began_s = time.monotonic()
    say(f"installing requirements/{lock}.txt, once (about a minute)")
    pip("--require-hashes", "-r", f"requirements/{lock}.txt")
    pip("--no-build-isolation", "--no-deps", "-e", ".")
    for name in INCLUDED[lock]:
        (VENV / f".installed-{name}").write_text(fingerprint(name))
    say(f"installed in {time.monotonic() - began_s:.0f} s")


def main(lock: str) -> None:
    if sys.version_info < OLDEST:
        raise SystemExit(f"ninety-eight: Python {sys.version.split()[0]} is too old; 3.11 or newer is needed")
    if not os.access(CHECKOUT, os.W_OK):
        raise SystemExit(f"ninety-eight: {CHECKOUT} cannot be written to by this user")
    guard = os.open(CHECKOUT, os.O_RDONLY)
    fcntl.flock(guard, fcntl.LOCK_EX)
    install(lock)


if __name__ == "__main__":
    main(sys.argv[1])
