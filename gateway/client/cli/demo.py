"""The command that shows the whole system at work: a recorded game, live through the gateway."""

import time

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from gateway.client import demo as demonstration
from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.invocation import Invocation
from gateway.client.contract import Game
from gateway.client.recordings import NAMES, load
from gateway.client.rendering.sentences import name_of, seat_names, standing_result
from gateway.client.rendering.table import game_view


@click.command("demo", cls=Command)
@click.option("--speed", type=click.FloatRange(min=0, max=60), default=0.0, help="Seconds between plays.")
@click.option("--turns", is_flag=True, help="Send each turn as one request.")
@click.option("--keep", is_flag=True, help="Leave the account and its game, and print how to sign in.")
@click.option("--recording", type=click.Choice(NAMES), default=NAMES[0], show_default=True)
@pass_invocation
def demo(invocation: Invocation, speed: float, turns: bool, keep: bool, recording: str) -> None:
    """Play a complete recorded game through the gateway, with an account of its own.

    Exit code 1 when the game does not end as recorded: won, no card left.
    """
    game = load(recording)
    started = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with (
        invocation.guest() as client,
        demonstration.guest_account(client, keep=keep) as guest,
        Progress(*columns, console=invocation.console(), disable=invocation.as_json) as progress,
    ):
        line = progress.add_task("the cards are dealt", total=len(game.actions))

        def played(now: Game, count: int) -> None:
            progress.update(line, advance=count, description=where(now))
            if speed:
                time.sleep(speed)

        try:
            final = demonstration.play(client, game, by_turn=turns, played=played)
        except demonstration.WentOtherwise as error:
            raise click.ClickException(f"The game did not go as recorded: {error}.") from error
    seconds = time.monotonic() - started
    kept = {"email": guest.email, "password": guest.password} if keep else None
    document = {"game": final, "actions": len(game.actions), "seconds": round(seconds, 3), "account": kept}
    summary = f"{len(game.actions)} actions in {seconds:.1f} s."
    invocation.answer(document, game_view(final), summary)
    if kept:
        invocation.tell(f"Kept: {guest.email}, password {guest.password}")


def where(game: Game) -> str:
    """How far the game is, for the progress line."""
    table = game["table"]
    ending = standing_result(table, game["result"])
    if ending:
        return ending
    who = name_of(seat_names(game), table["active_seat"])
    return f"turn {table['turn']}, {who}, {table['remaining']} left"
