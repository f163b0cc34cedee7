"""The host's side of its guardian: keeps it running and tells it which process groups there are."""

import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from infra.host.data_folder import DataFolder

GUARDIAN = Path(__file__).with_name("guardian.py")


class Guardian:
    """A context in which nothing outlives this process, not even when it is killed.

    `lock` is the data directory's lock, which the guardian holds as well.
    """

    def __init__(self, folder: DataFolder, lock: int) -> None:
        self._command = [sys.executable, "-I", "-S", str(GUARDIAN)]
        self._command += [str(folder.parts_file), str(folder.environment_file)]
        self._lock = lock
        self._groups: set[int] = set()

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def launched(self, group: int) -> None:
        self._groups.add(group)
        self._tell(f"+{group}\n")

    def ended(self, group: int) -> None:
        self._groups.discard(group)
        self._tell(f"-{group}\n")

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            bufsize=0,
            pass_fds=(self._lock,),
            start_new_session=True,
        )
        self._write("".join(f"+{group}\n" for group in self._groups))

    def _tell(self, line: str) -> None:
        if self._process.poll() is None:
            self._write(line)
        else:
            self._start()

    def _write(self, text: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode())
        except BrokenPipeError:
            # It ended this very moment; the next word starts another one, which is told everything.
            return
