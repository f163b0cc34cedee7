"""What was recorded without a network, in a file until the gateway has answered: appended, synced, 0600."""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gateway.client.contract import Action, Game
from gateway.client.home import Home, HomeUnusable
from gateway.client.offline import Recorded, Unreadable, of_lines


class Journal:
    """The journal of one game at the gateway `url`; writers hold it `exclusively`.

    Lines are added and never changed. Once the gateway has answered for all of it, it is put aside whole.
    """

    def __init__(self, home: Home, url: str, game_id: str) -> None:
        place = hashlib.sha256(url.encode()).hexdigest()[:12]
        self.game_id = game_id
        self.file = home.directory / f"journal-{place}-{game_id}.ndjson"
        self._home = home

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        """Holds the lock of all journals: nothing is recorded while another command sends."""
        self._home.make()
        handle = os.open(self._home.directory / "journals.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def read(self) -> Recorded | None:
        """All of it, None when nothing was recorded; raises `HomeUnusable`."""
        try:
            text = self.file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise HomeUnusable(f"{self.file} cannot be read: {error.strerror}.") from error
        try:
            return of_lines(_parsed(line) for line in text.split(b"\n") if line)
        except Unreadable as error:
            raise HomeUnusable(f"{self.file} does not hold what it should. Move it away.") from error

    def begin(self, base: Game) -> None:
        """The first line: the game that what follows goes on from."""
        self._append([{"base": base}])

    def record(self, actions: Iterable[Action]) -> None:
        """Add actions; they are on the disk when this returns."""
        self._append([{"action": action} for action in actions])

    def note(self, line: Mapping[str, Any]) -> None:
        """Add what was told about the branch: `device`, `answered` or `conflict`."""
        self._append([line])

    def put_aside(self, word: str) -> Path:
        """The branch needs no sending any more; its file stays beside the others, `word` in its name."""
        aside = self.file.with_suffix(f".{word}")
        if word != "sent" and aside.exists():
            aside = self.file.with_suffix(f".{datetime.now(UTC):%Y%m%dT%H%M%S%f}.{word}")
        try:
            self.file.replace(aside)
            _sync_folder(self.file.parent)
        except OSError as error:
            raise HomeUnusable(f"{self.file} cannot be moved: {error.strerror}.") from error
        return aside

    def _append(self, lines: Iterable[Mapping[str, Any]]) -> None:
        text = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        try:
            handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                _write(handle, _after_torn(handle) + text)
                os.fsync(handle)
            finally:
                os.close(handle)
            _sync_folder(self.file.parent)
        except OSError as error:
            raise HomeUnusable(
                f"{self.file} cannot be written, nothing recorded: {error.strerror}."
            ) from error


def _write(handle: int, text: bytes) -> None:
    while text:
        text = text[os.write(handle, text) :]


def _after_torn(handle: int) -> bytes:
    """What to write before a new line, so that one cut off by a crash stays a line of its own."""
    size = os.fstat(handle).st_size
    return b"\n" if size and os.pread(handle, 1, size - 1) != b"\n" else b""


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
