"""Writing a backup and putting one back."""

import shutil
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from infra.backup.archive import KEYS, BadArchive, Manifest, pack, unpack
from infra.backup.postgres_tools import (
    begin_dump,
    connected_others,
    finish_dump,
    is_readable,
    restore,
    revision,
)


class StillInUse(Exception):
    """Somebody is connected to a database that was to be replaced."""


def write(urls: Mapping[str, str], keys: Path, backups: Path, prefix: str = "ninety-eight") -> Path:
    """Write databases (`urls` by name) and `keys` into one archive in `backups`; returns it.

    The dumps begin at the same time and each is a moment of its database; what one knows of the other is
    settled by the events that are published again after a restore.
    """
    now = datetime.now(UTC)
    target = backups / f"{prefix}-{now:%Y%m%dT%H%M%SZ}.tar"
    with tempfile.TemporaryDirectory(dir=backups) as scratch:
        folder = Path(scratch)
        revisions = {name: revision(url) for name, url in urls.items()}
        for dump in [begin_dump(url, folder / f"{name}.dump") for name, url in urls.items()]:
            finish_dump(dump)
        (folder / KEYS).mkdir()
        for key in keys.glob("*.json"):
            shutil.copyfile(key, folder / KEYS / key.name)
        pack(folder, target, now.isoformat(timespec="seconds"), revisions)
    return target


def put_back(source: IO[bytes], urls: Mapping[str, str], keys: Path, scratch_in: Path) -> Manifest:
    """Replace databases and keys by what `source` holds, once all of it has been checked.

    Raises BadArchive or StillInUse before anything is changed.
    """
    with tempfile.TemporaryDirectory(dir=scratch_in) as scratch:
        folder = Path(scratch)
        manifest = unpack(source, folder)
        for name, url in urls.items():
            if not is_readable(folder / f"{name}.dump"):
                raise BadArchive(f"the archive has no usable dump of {name}")
            if connected_others(url):
                raise StillInUse(f"somebody is connected to the database {name}: stop the system first")
        for name, url in urls.items():
            restore(url, folder / f"{name}.dump")
        keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        for present in keys.glob("*.json"):
            present.unlink()
        for key in (folder / KEYS).glob("*.json"):
            shutil.copyfile(key, keys / key.name)
            (keys / key.name).chmod(0o600)
    return manifest
