"""One archive: a tar file of dumps and keys with a manifest that says what they are and proves them whole."""

import hashlib
import json
import os
import tarfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

FORMAT = 1
MANIFEST = "manifest.json"
KEYS = "keys"


class BadArchive(Exception):
    """The archive is not one of ours, is damaged, or is newer than this program."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """`created_at` in UTC; `revisions` by database; `sha256` of every other member by its name."""

    format: int
    created_at: str
    revisions: Mapping[str, str | None]
    sha256: Mapping[str, str]


def digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def pack(folder: Path, target: Path, created_at: str, revisions: Mapping[str, str | None]) -> Manifest:
    """Write what lies in `folder` to the archive `target`, which appears whole, for its owner's eyes only."""
    members = sorted(path for path in folder.rglob("*") if path.is_file())
    hashes = {str(path.relative_to(folder)): digest(path) for path in members}
    manifest = Manifest(FORMAT, created_at, revisions, hashes)
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=2) + "\n")
    draft = target.with_suffix(".part")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            for path in (folder / MANIFEST, *members):
                archive.add(path, arcname=str(path.relative_to(folder)))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(target)
    return manifest


def unpack(source: IO[bytes], folder: Path) -> Manifest:
    """Extract the archive `source` into `folder` and check every member. Raises BadArchive."""
    try:
        with tarfile.open(fileobj=source, mode="r|") as archive:
            archive.extractall(folder, filter="data")
        manifest = Manifest(**json.loads((folder / MANIFEST).read_text()))
    except (OSError, tarfile.TarError, ValueError, TypeError) as error:
        raise BadArchive(f"this is no backup of this system: {error}") from error
    if manifest.format > FORMAT:
        raise BadArchive("the archive was written by a newer version")
    for name, expected in manifest.sha256.items():
        member = folder / name
        if not member.is_file() or digest(member) != expected:
            raise BadArchive(f"the archive is damaged: {name}")
    return manifest
