"""Steps that run to their end before the parts start: the migrations."""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from infra.host.logs import last_lines
from infra.host.parts import Part
from infra.host.process import end, spawn
from infra.host.python_part import CHECKOUT


class StepFailed(Exception):
    """A step ended with an error; the message holds the end of its log."""


def run_steps(
    steps: Sequence[tuple[Part, Mapping[str, str]]], *, log: Path, is_asked_to_end: Callable[[], bool]
) -> None:
    """Run `steps` side by side, each with its environment, until all have ended.

    `is_asked_to_end` waits a moment and tells whether to give up; then every step is ended. Raises
    StepFailed.
    """
    running: dict[Part, subprocess.Popen[bytes]] = {}
    for part, environment in steps:
        with (log / f"{part.name}.log").open("ab") as output:
            command = [sys.executable, "-m", part.module, part.verb]
            running[part] = spawn(command, environment=environment, folder=CHECKOUT, output=output)
    try:
        while any(child.poll() is None for child in running.values()) and not is_asked_to_end():
            pass
    finally:
        for child in running.values():
            end(child, ())
    failed = [part.name for part, child in running.items() if child.returncode]
    if failed and not is_asked_to_end():
        lines = "\n".join(f"{name}:\n{last_lines(log / f'{name}.log', 20)}" for name in failed)
        raise StepFailed(f"could not bring the databases up to date. {lines}")
