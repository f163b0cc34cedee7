"""The command that shows a game as it goes on, for a second screen at the table or for a script."""

import json
from collections.abc import Callable
from dataclasses import asdict

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.look import of_game
from gateway.client.live import EntrySeen, LiveEvent
from gateway.client.ninety_eight import NinetyEight
from gateway.client.rendering.authors import Viewpoint
from gateway.client.rendering.live import Line, Teller, compact
from gateway.client.rendering.sentences import next_step, seat_names
from gateway.client.rendering.table import heading, table_view

LOUDNESS = {"plain": {}, "dim": {"dim": True}, "strong": {"bold": True}}


@click.command("watch", cls=Command)
@click.option("--from-start", is_flag=True, help="Tell everything from the first entry on.")
@click.option("--table", "is_whole", is_flag=True, help="Show the whole table after each entry.")
@of_game
@pass_invocation
def watch(invocation: Invocation, from_start: bool, is_whole: bool, game: str | None) -> None:
    """Show each entry as it is made, until Ctrl-C.

    With --json one document a line: {"event": "entry", …} or {"event": "presence", …}.
    """
    try:
        chosen = game_id(invocation, game)
        client = invocation.client_at(chosen)
        if invocation.as_json:
            after = 0 if from_start else client.games.get(chosen)["version"]
            for event in client.games.watch(chosen, after, invocation.device):
                click.echo(json.dumps(document(event)))
        else:
            viewpoint = invocation.viewpoint(chosen)
            follow(client, chosen, viewpoint, from_start=from_start, is_whole=is_whole, tell=invocation.tell)
    except KeyboardInterrupt:
        invocation.tell("\nNo longer watching. `ninety8 watch` goes on, `ninety8 show` shows the table.")


def document(event: LiveEvent) -> dict[str, object]:
    """An event of the stream for machines."""
    return {"event": "entry" if isinstance(event, EntrySeen) else "presence", **asdict(event)}


def follow(
    client: NinetyEight,
    chosen: str,
    viewpoint: Viewpoint,
    *,
    from_start: bool,
    is_whole: bool,
    tell: Callable[..., None],
) -> None:
    """Tell people what happens, without end."""
    now = client.games.get(chosen)
    tell(click.style(heading(now), bold=True), click.style("Watching; Ctrl-C ends it.", dim=True))
    teller, after = Teller(seat_names(now), viewpoint), 0
    if not from_start:
        after = now["version"]
        teller.catch_up(now, (it["action"] for it in client.games.log(chosen)))
        tell(table_view(now["table"], teller.names) if is_whole else compact(now["table"]))
        step = teller.ending or next_step(now["table"], teller.names)
        tell(*([step] if step else []))
    for event in client.games.watch(chosen, after, connected=Connection()):
        if isinstance(event, EntrySeen):
            show(tell, teller.entry(event))
            tell(table_view(event.table, teller.names) if is_whole else f"      {compact(event.table)}")
        else:
            show(tell, teller.presence(event))


def show(tell: Callable[..., None], lines: list[Line]) -> None:
    tell(*(click.style(line.text, **LOUDNESS[line.weight]) for line in lines))


class Connection:
    """Says once that the connection is lost, and once that it is back."""

    def __init__(self) -> None:
        self._is_lost = False

    def __call__(self, stands: bool) -> None:
        if stands and self._is_lost:
            click.secho("      Back.", dim=True, err=True)
        elif not stands and not self._is_lost:
            click.secho("      Connection lost, coming back …", dim=True, err=True)
        self._is_lost = not stands
