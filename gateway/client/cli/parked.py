"""Commands for what was refused of offline entries: looking at it, putting it away."""

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.delivery import reasons
from gateway.client.cli.find import game_id, matching_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.look import of_game
from gateway.client.contract import Outcome
from gateway.client.rendering.authors import NOBODY, author
from gateway.client.rendering.moments import local
from gateway.client.rendering.sentences import action
from gateway.client.rendering.text import printable


@click.command("parked", cls=Command)
@of_game
@pass_invocation
def parked(invocation: Invocation, game: str | None) -> None:
    """List the offline entries that were refused, and why."""
    chosen = game_id(invocation, game)
    client = invocation.client_at(chosen)
    found = list(client.games.parked(chosen))
    lines = []
    if not invocation.as_json:
        why = reasons(
            client,
            [Outcome(verdict="rejected", code=it["code"], instructions=[], warnings=[]) for it in found],
        )
        viewpoint = invocation.viewpoint(chosen) if found else NOBODY
        for it in found:
            at = local(it["at"] or it["parked_at"])
            by = author(it["by"], viewpoint)
            lines.append(f"{it['action_id']}  {action(it['action'])}  ({printable(it['code'])}) · {by}, {at}")
            lines += [f"    {printable(why[it['code']])}"] if it["code"] in why else []
        lines.append(
            "They changed nothing. Enter what really happened; ninety8 unpark ACTION puts one away."
            if found
            else "Nothing is parked: nothing that was brought in was refused."
        )
    invocation.answer({"items": found, "next_cursor": None}, *lines)


@click.command("unpark", cls=Command)
@click.argument("action_id", metavar="ACTION")
@of_game
@pass_invocation
def unpark(invocation: Invocation, action_id: str, game: str | None) -> None:
    """Put the refused ACTION (its id, or the unique beginning or end of it) away for good."""
    chosen = game_id(invocation, game)
    client = invocation.client_at(chosen)
    meant = matching_id(action_id, lambda: [it["action_id"] for it in client.games.parked(chosen)], "parked")
    client.games.delete_parked(chosen, meant)
    invocation.answer({"deleted": meant}, "Put away.")
