"""The command that judges a whole log without storing anything."""

import json
from typing import IO, Any

import click

from gateway.client.cli.commands import REFUSED, Command, pass_invocation
from gateway.client.cli.invocation import Invocation
from gateway.client.rendering.outcomes import ACCEPTED, judged
from gateway.client.rendering.table import table_view


@click.command("evaluate", cls=Command)
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--tables", is_flag=True, help="With --json: the table after every action.")
@click.pass_context
@pass_invocation
def evaluate(invocation: Invocation, context: click.Context, file: IO[str], tables: bool) -> None:
    """Judge a log: FILE (- for standard input) holds {"options": {…}, "actions": […]}.

    Exit code 1 when an action is refused.
    """
    document = wanted(file)
    answer = invocation.client.rulesets.evaluate(document["options"], document["actions"], tables=tables)
    names = [f"Seat {seat}" for seat in range(len(answer["table"]["hands"]))]
    invocation.answer(answer, *judged(document["actions"], answer), table_view(answer["table"], names))
    if any(outcome["verdict"] not in ACCEPTED for outcome in answer["outcomes"]):
        context.exit(REFUSED)


def wanted(file: IO[str]) -> dict[str, Any]:
    """The options and actions in `file`; what they say is the gateway's to judge."""
    try:
        document = json.load(file)
    except ValueError as error:
        raise click.UsageError(f"The file is not JSON: {error}.") from error
    if not isinstance(document, dict) or not {"options", "actions"} <= document.keys():
        raise click.UsageError('The file has to hold {"options": {…}, "actions": […]}.')
    if not isinstance(document["actions"], list):
        raise click.UsageError('"actions" has to be a list.')
    return document
