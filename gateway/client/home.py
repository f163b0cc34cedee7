"""The command line's own files, 0600: who is signed in where (`credentials.json`) and the current games."""

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gateway.client.tokens import Tokens


class HomeUnusable(Exception):
    """A file of the home cannot be read; the message says which and what to do."""


def home_dir(environment: Mapping[str, str]) -> Path:
    """`$NINETY8_HOME`, else `~/.config/ninety-eight`."""
    return Path(environment.get("NINETY8_HOME") or Path.home() / ".config" / "ninety-eight")


@dataclass(frozen=True, slots=True)
class Home:
    """The files below one directory; everything is kept apart by the gateway's address."""

    directory: Path

    def tokens(self, url: str) -> "FileTokens":
        """The token store of the gateway at `url`."""
        return FileTokens(self, url)

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        """Holds a lock on a file beside the others, which are replaced and so cannot carry it."""
        self.make()
        handle = os.open(self.directory / "credentials.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def account_id(self, url: str) -> str | None:
        """Whoever signed in last at `url`."""
        found = self.config().get("accounts", {}).get(url)
        return str(found) if found else None

    def remember_account(self, url: str, account_id: str) -> None:
        config = self.config()
        config.setdefault("accounts", {})[url] = account_id
        self.write("config.json", config)

    def current_game(self, url: str) -> str | None:
        """Id of the game that commands without `--game` mean.

        Each account has its own; a guest's, kept by the address, also counts where the account has none.
        """
        games = self.config().get("games", {})
        found = games.get(self.account_id(url)) or games.get(url)
        return str(found) if found else None

    def use_game(self, url: str, game_id: str) -> None:
        config = self.config()
        config.setdefault("games", {})[self.account_id(url) or url] = game_id
        self.write("config.json", config)

    def put_aside(self, game_id: str) -> bool:
        """Take `game_id` out of use, whoever used it; whether anybody did."""
        config = self.config()
        games = config.get("games", {})
        config["games"] = {who: used for who, used in games.items() if used != game_id}
        is_used = bool(config["games"] != games)
        if is_used:
            self.write("config.json", config)
        return is_used

    def config(self) -> dict[str, Any]:
        return self.read("config.json")

    def read(self, name: str) -> dict[str, Any]:
        """The JSON object in file `name`, empty when there is no file; raises `HomeUnusable`."""
        file = self.directory / name
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise HomeUnusable(f"{file} cannot be read. Remove it and sign in again.") from error
        if not isinstance(document, dict):
            raise HomeUnusable(f"{file} does not hold what it should. Remove it and sign in again.")
        return document

    def write(self, name: str, document: Mapping[str, Any]) -> None:
        """Replace file `name` whole, readable by its owner alone; raises `HomeUnusable`."""
        self.make()
        try:
            handle, temporary = tempfile.mkstemp(dir=self.directory, prefix=f".{name}.")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(document, file, indent=2)
                Path(temporary).replace(self.directory / name)
            finally:
                Path(temporary).unlink(missing_ok=True)
        except OSError as error:
            raise HomeUnusable(f"{self.directory / name} cannot be written: {error.strerror}.") from error

    def make(self) -> None:
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise HomeUnusable(f"{self.directory} cannot be made. Set NINETY8_HOME.") from error


class FileTokens:
    """Tokens in the home's credentials file, shared with every other command that runs at the same time."""

    FILE = "credentials.json"

    def __init__(self, home: Home, url: str) -> None:
        self._home = home
        self._url = url

    def read(self) -> Tokens | None:
        found = self._home.read(self.FILE).get(self._url)
        try:
            return Tokens.of(found) if found else None
        except (KeyError, TypeError) as error:
            raise HomeUnusable(f"{self.FILE} does not hold tokens. Remove it and sign in again.") from error

    def save(self, tokens: Tokens) -> None:
        kept = {"access_token": tokens.access_token, "refresh_token": tokens.refresh_token}
        self._home.write(self.FILE, {**self._home.read(self.FILE), self._url: kept})

    def forget(self) -> None:
        credentials = self._home.read(self.FILE)
        if credentials.pop(self._url, None) is not None:
            self._home.write(self.FILE, credentials)

    @contextmanager
    def exclusively(self) -> Iterator[None]:
        with self._home.exclusively():
            yield
