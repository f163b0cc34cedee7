"""The options with which people say which of their finished games are meant."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar, cast

import click

from gateway.client.cli.find import find_player
from gateway.client.cli.invocation import Invocation
from gateway.client.figures import WhichGames

DAY = click.DateTime(["%Y-%m-%d"])
Command = TypeVar("Command", bound=Callable[..., Any])


def which_options(command: Command) -> Command:
    """Adds `--from … --player` to a command, which takes them as `**said` for `which`."""
    for option in (
        click.option("--player", metavar="PLAYER", help="Only games with this saved player."),
        click.option("--reduced-hand/--full-hand", "reduced_hand", default=None, help="Only such hands."),
        click.option("--difficulty", type=click.Choice(["normal", "expert"]), help="Only such games."),
        click.option("--players", type=click.IntRange(1, 5), metavar="N", help="Only games of N players."),
        click.option("--to", "until", type=DAY, metavar="DAY", help="Last day (UTC), like 2026-05-31."),
        click.option("--from", "since", type=DAY, metavar="DAY", help="First day (UTC), like 2026-05-01."),
    ):
        command = option(command)
    return command


def which(invocation: Invocation, said: dict[str, Any]) -> WhichGames:
    """The games that were meant; what was not said is left out."""
    found = {name: _plain(value) for name, value in said.items() if value is not None and name != "player"}
    if said["player"] is not None:
        found["player_id"] = find_player(invocation.client, said["player"])["id"]
    return cast("WhichGames", found)


def _plain(value: Any) -> Any:
    return value.date().isoformat() if isinstance(value, datetime) else value
