"""The keys that sign access tokens: private JWKs in a private folder, shared by the processes of accounts.

A key is published from the moment it exists, signs once every verifier has had time to fetch it, and stays
published until the last token it signed has expired. `NNNN.json` are in the order they were made.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from joserfc.jwk import OKPKey

from shared.web.tokens import ALGORITHM

LOCK = ".lock"
# Signing processes look into the folder once a minute, so one may sign that much longer with the key before.
REREAD_S = 60


@dataclass(frozen=True, slots=True)
class SigningKey:
    """One key; `created_at` in seconds since the epoch."""

    kid: str
    key: OKPKey
    created_at: float


class NoKeys(OSError):
    """The folder cannot be read or holds no key."""


class KeyFolder:
    """The folder of keys; a new one is only published for `publish_first_s`, a token lives `token_s`."""

    def __init__(self, folder: Path, *, publish_first_s: float, token_s: float) -> None:
        self._folder = folder
        self._publish_first_s = publish_first_s
        self._token_s = token_s

    def ensure(self, now: float) -> None:
        """Make the first key unless there is one; of processes that start together one does."""
        if not self._files():
            with self._locked():
                if not self._files():
                    self._write(1, now)

    def rotate(self, now: float) -> SigningKey:
        """Add a key and delete those that are no longer published; returns the new one."""
        with self._locked():
            published = {key.kid for key in self.published(now)}
            for file in self._files():
                if _read(file).kid not in published:
                    file.unlink()
            names = [int(file.stem) for file in self._files()]
            return self._write(max(names, default=0) + 1, now)

    def published(self, now: float) -> list[SigningKey]:
        """The keys that verifiers need now, oldest first; raises `NoKeys`."""
        keys = self._keys()
        return keys[keys.index(self._signing(keys, now - self._token_s - 2 * REREAD_S)) :]

    def signing(self, now: float) -> SigningKey:
        """The key to sign with now; raises `NoKeys`."""
        return self._signing(self._keys(), now)

    def _signing(self, keys: list[SigningKey], now: float) -> SigningKey:
        ripe = [key for key in keys if key.created_at + self._publish_first_s <= now]
        return ripe[-1] if ripe else keys[0]

    def _keys(self) -> list[SigningKey]:
        keys = [_read(file) for file in self._files()]
        if not keys:
            raise NoKeys(f"no key in {self._folder}")
        return keys

    def _files(self) -> list[Path]:
        return sorted(file for file in self._folder.glob("*.json") if file.stem.isdigit())

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _write(self, number: int, now: float) -> SigningKey:
        """Write a fresh key beside its place and move it there whole."""
        key = OKPKey.generate_key("Ed25519", private=True)
        document = {
            **key.as_dict(private=True),
            "kid": key.thumbprint(),
            "alg": ALGORITHM,
            "use": "sig",
            "created_at": now,
        }
        target = self._folder / f"{number:04}.json"
        draft = target.with_suffix(".draft")
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(target)
        return _read(target)


def _read(file: Path) -> SigningKey:
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    created_at = float(document.pop("created_at"))
    return SigningKey(str(document["kid"]), OKPKey.import_key(document), created_at)
