"""Commands for saved players."""

import click

from gateway.client.cli.commands import Commands, pass_invocation
from gateway.client.cli.find import find_player
from gateway.client.cli.invocation import Invocation
from gateway.client.contract import Player
from gateway.client.players import Choice
from gateway.client.rendering.lists import players_view
from gateway.client.rendering.text import printable


@click.group("players", cls=Commands)
def players() -> None:
    """Names used again and again; PLAYER is a saved name or an id."""


@players.command("list")
@click.option("--all", "everyone", is_flag=True, help="Archived and merged ones too.")
@pass_invocation
def list_players(invocation: Invocation, everyone: bool) -> None:
    """List the saved players."""
    choice: Choice | None = "all" if everyone else None
    found = list(invocation.client.players.each(archived=choice, merged=choice))
    invocation.answer({"items": found, "next_cursor": None}, players_view(found))


@players.command("add")
@click.argument("name")
@click.option("--colour", metavar="COLOUR", help="Colour of this player's marks.")
@pass_invocation
def add(invocation: Invocation, name: str, colour: str | None) -> None:
    """Save a player."""
    _tell(invocation, invocation.client.players.add(name, colour=colour), "Saved")


@players.command("rename")
@click.argument("player")
@click.argument("name")
@pass_invocation
def rename(invocation: Invocation, player: str, name: str) -> None:
    """Give a player another name; their games stay theirs."""
    chosen = find_player(invocation.client, player)
    _tell(invocation, invocation.client.players.change(chosen["id"], name=name), "Renamed")


@players.command("archive")
@click.argument("player")
@pass_invocation
def archive(invocation: Invocation, player: str) -> None:
    """Put a player aside; `restore` brings them back."""
    chosen = find_player(invocation.client, player)
    invocation.client.players.archive(chosen["id"])
    invocation.answer({"archived": chosen["id"]}, f"Archived: {printable(chosen['name'])}.")


@players.command("restore")
@click.argument("player")
@pass_invocation
def restore(invocation: Invocation, player: str) -> None:
    """Bring an archived player back."""
    chosen = find_player(invocation.client, player)
    _tell(invocation, invocation.client.players.change(chosen["id"], archived=False), "Restored")


@players.command("merge")
@click.argument("player")
@click.argument("into")
@pass_invocation
def merge(invocation: Invocation, player: str, into: str) -> None:
    """PLAYER and INTO are one person, known as INTO from now on."""
    kept = find_player(invocation.client, into)
    chosen = find_player(invocation.client, player)
    answer = invocation.client.players.merge(chosen["id"], kept["id"])
    merged = f"{printable(chosen['name'])} is {printable(kept['name'])} from now on."
    invocation.answer(answer, merged, f"Next: ninety8 players unmerge {chosen['id']} takes it back.")


@players.command("unmerge")
@click.argument("player")
@pass_invocation
def unmerge(invocation: Invocation, player: str) -> None:
    """Take a merge back."""
    chosen = find_player(invocation.client, player)
    _tell(invocation, invocation.client.players.unmerge(chosen["id"]), "On their own again")


def _tell(invocation: Invocation, player: Player, done: str) -> None:
    invocation.answer(player, f"{done}: {printable(player['name'])}.")
