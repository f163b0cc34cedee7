"""Command line of the host: `python -m infra.host` runs everything, `status` shows it."""

import os
import sys
from pathlib import Path

import click

from infra.host.data_folder import DataFolder, DataFolderLocked
from infra.host.host import Host, Plan, PortTaken
from infra.host.one_shot import StepFailed
from infra.host.server import ServerFailed
from infra.host.status import table
from infra.host.wiring import IncompleteSettings
from shared.settings import data_dir

REFUSALS = (DataFolderLocked, IncompleteSettings, PortTaken, ServerFailed, StepFailed)

data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=data_dir,
    show_default="DATA_DIR, else .data",
    help="Where everything is kept.",
)


def say(line: str) -> None:
    click.echo(f"ninety-eight: {line}" if not line.startswith(" ") else line)


@click.group(invoke_without_command=True)
@data_option
@click.option("--port", default=8098, show_default=True, envvar="GATEWAY_PORT", help="The one public port.")
@click.option(
    "--address", default="127.0.0.1", show_default=True, help="0.0.0.0 lets phones of the network in."
)
@click.pass_context
def main(context: click.Context, data: Path, port: int, address: str) -> None:
    """Run the whole system on this machine until Ctrl-C."""
    if context.invoked_subcommand is not None:
        return
    try:
        Host(Plan(data, port, address), os.environ, say).run()
    except REFUSALS as refusal:
        say(str(refusal))
        sys.exit(1)


@main.command()
@data_option
def status(data: Path) -> None:
    """Parts of the running host: process, port, age, restarts, memory."""
    found = table(DataFolder(data.absolute()))
    if found is None:
        say(f"nothing runs on {data}")
        sys.exit(1)
    click.echo(found)


if __name__ == "__main__":
    main()
