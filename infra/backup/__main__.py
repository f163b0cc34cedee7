"""Command line: `python -m infra.backup write | restore ARCHIVE`."""

import os
import shutil
import sys
from pathlib import Path

import click

from infra.backup import servers, work
from infra.backup.archive import BadArchive
from infra.backup.postgres_tools import ToolFailed
from infra.host.data_folder import DataFolder, DataFolderLocked
from infra.host.server import ServerFailed
from shared.settings import data_dir, environment

REFUSALS = (BadArchive, DataFolderLocked, ServerFailed, ToolFailed, work.StillInUse)


def data_folder() -> DataFolder:
    return DataFolder(data_dir().absolute())


def keys_folder(folder: DataFolder) -> Path:
    return Path(environment().get("ACCOUNTS_KEYS_DIR") or folder.keys)


@click.group()
def main() -> None:
    """Copies of both databases and the signing keys. DATA_DIR names the data directory."""


@main.command()
@click.option("--to", default=None, help="Folder, or - for standard output; else <data>/backups.")
def write(to: str | None) -> None:
    """Write one archive, whether the system runs or not."""
    folder = data_folder()
    target = Path(to) if to and to != "-" else folder.backups
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with servers.to_read(folder) as urls:
            archive = work.write(urls, keys_folder(folder), target)
    except REFUSALS as refusal:
        sys.exit(f"ninety-eight: {refusal}")
    if to == "-":
        with archive.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        archive.unlink()
    else:
        click.echo(f"ninety-eight: wrote {archive} ({archive.stat().st_size / 1e6:.1f} MB); it holds secrets")


@main.command()
@click.argument("archive", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--without-copy", is_flag=True, help="Do not copy what is replaced, for a database beyond repair."
)
def restore(archive: str, yes: bool, without_copy: bool) -> None:
    """Put ARCHIVE (- for standard input) in place of what is there. The system must be stopped."""
    if not yes:
        question = f'This replaces every game and account by those of {archive}. Type "restore" to go on'
        if click.prompt(question, default="", show_default=False) != "restore":
            sys.exit("ninety-eight: nothing was changed")
    folder = data_folder()
    folder.create()
    try:
        with servers.to_write(folder) as urls:
            if not without_copy:
                copy = work.write(urls, keys_folder(folder), folder.backups, "before-restore")
                click.echo(f"ninety-eight: what is replaced is kept as {copy}")
            with click.open_file(archive, "rb") as source:
                manifest = work.put_back(source, urls, keys_folder(folder), folder.backups)
    except REFUSALS as refusal:
        sys.exit(f"ninety-eight: {refusal}")
    # The stream is a copy that may know what the database no longer does; the relays fill it again.
    shutil.rmtree(folder.root / "valkey" / "appendonlydir", ignore_errors=True)
    click.echo(f"ninety-eight: restored the state of {manifest.created_at}")
    if os.environ.get(servers.OWNERS["sessions"]):
        click.echo("ninety-eight: empty the Redis of this system before you start it again")


if __name__ == "__main__":
    main()
