"""The command that takes finished games away into a file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from gateway.client.cli.commands import UNREACHABLE, Command, pass_invocation, unreachable
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.which import which, which_options
from gateway.client.exporting import Export
from gateway.client.problems import Lost, NoGateway
from gateway.client.results import FORMATS


@click.command("export", cls=Command)
@click.option("--format", "name", type=click.Choice(list(FORMATS)), default="csv", show_default=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Default: results.csv, .ndjson or .parquet.",
)
@click.option("--all-accounts", is_flag=True, help="Of all accounts, without names; for operators.")
@which_options
@pass_invocation
def export(
    invocation: Invocation, /, name: str, output: Path | None, all_accounts: bool, **said: Any
) -> None:
    """Write your finished games into a file, newest first.

    One that breaks off is gone on with by the same command (Parquet begins anew).
    """
    meant = which(invocation, said)
    target = output or Path(f"results.{name}")
    owner = f"{invocation.url} {invocation.home.account_id(invocation.url)}"
    taking = Export(invocation.client.results, target, FORMATS[name], meant, of_all=all_accounts, owner=owner)
    reads = invocation.client.stats.read_of_all if all_accounts else invocation.client.stats.read
    games = reads(**meant)["items"][0]["games"]
    try:
        with _shown(games if FORMATS[name].has_cursors else None, invocation.as_json) as heard:
            written = taking.run(heard)
    except OSError as error:
        raise click.ClickException(f"{target} cannot be written: {error.strerror}.") from error
    except (Lost, NoGateway) as failure:
        for line in unreachable(failure)[:1]:
            click.echo(line, err=True)
        again = "goes on from there, within 15 minutes" if FORMATS[name].has_cursors else "begins anew"
        click.echo(f"What came is in {taking.part}; the same command again {again}.", err=True)
        click.get_current_context().exit(UNREACHABLE)
    count = "" if written.rows is None else f"{written.rows} {'game' if written.rows == 1 else 'games'}, "
    invocation.answer(
        {"written": str(target), "format": name, "games": written.rows, "bytes": written.size},
        f"Written to {target}: {count}{written.size} bytes.",
    )


@contextmanager
def _shown(games: int | None, is_quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """How far it is, on the error output of a terminal; in games where they can be counted on the way."""
    console = Console(stderr=True)
    columns = [TextColumn("{task.fields[told]}"), BarColumn(), TimeRemainingColumn()]
    with Progress(
        *columns, console=console, transient=True, disable=is_quiet or not console.is_terminal
    ) as bar:
        task = bar.add_task("export", total=games, told="")

        def heard(rows: int, size: int) -> None:
            told = f"{rows} of {games} games" if games is not None else f"{size // 1024} KiB"
            bar.update(task, completed=rows if games is not None else 0, told=told)

        yield heard
