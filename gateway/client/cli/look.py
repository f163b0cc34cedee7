"""Commands that look at a game: the table and the log."""

import json

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.unsent import tell_waiting
from gateway.client.rendering.corrections import retold
from gateway.client.rendering.sentences import entry, seat_names
from gateway.client.rendering.table import game_view

of_game = click.option("--game", metavar="GAME", help="Another game than the one in use.")


@click.command("show", cls=Command)
@click.option("--at", "version", type=click.IntRange(min=0), help="As it was at this version.")
@of_game
@pass_invocation
def show(invocation: Invocation, version: int | None, game: str | None) -> None:
    """Show the table: piles, what may be laid, turn, counts, what to do."""
    chosen = game_id(invocation, game)
    client = invocation.client_at(chosen)
    found = client.games.get(chosen) if version is None else client.games.at(chosen, version)
    seq = found["version"] if version is None else version
    last = client.games.log_page(chosen, after=seq - 1, limit=1)["items"] if seq else []
    if version is None:
        invocation.saw(found)
    invocation.answer(found, game_view(found, last[0]["instructions"] if last else ()))
    tell_waiting(invocation, chosen)


@click.command("log", cls=Command)
@click.option("--ndjson", is_flag=True, help="Print the entries as JSON, a line each, as they come.")
@click.option("--after", type=click.IntRange(min=0), default=0, help="Only entries with a higher number.")
@of_game
@pass_invocation
def log(invocation: Invocation, ndjson: bool, after: int, game: str | None) -> None:
    """Print what happened in a game, entry by entry."""
    chosen = game_id(invocation, game)
    client = invocation.client_at(chosen)
    if ndjson:
        for item in client.games.stream_log(chosen, after=after):
            click.echo(json.dumps(item))
        return
    entries = list(client.games.log(chosen, after=after))
    lines = []
    if not invocation.as_json:
        names, again = seat_names(client.games.get(chosen)), retold(entries)
        viewpoint = invocation.viewpoint(chosen)
        lines = [entry(item, names, again, viewpoint) for item in entries]
    invocation.answer({"items": entries, "next_cursor": None}, *lines)
