"""Commands that need no network: what happens at the table is recorded on this machine, to be sent later."""

import click

from gateway.client import actions
from gateway.client.cli.commands import Commands, pass_invocation
from gateway.client.cli.find import known_game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.look import of_game
from gateway.client.cli.recording import never_seen, record
from gateway.client.cli.turn import plays
from gateway.client.cli.unsent import entries
from gateway.client.offline import Recorded
from gateway.client.rendering.branches import waiting
from gateway.client.rendering.table import game_view


@click.group("offline", cls=Commands)
def offline() -> None:
    """Record without a network; `ninety8 sync` brings it in later.

    Nothing is checked before that: look twice.
    """


@offline.command("play", context_settings={"ignore_unknown_options": True})
@click.argument("cards", nargs=-1, required=True, metavar="PILE CARD [PILE CARD]…")
@click.option("--hidden", is_flag=True, help="A card laid without telling its value: only the PILE is given.")
@click.option("--confirmed", "--confirm", is_flag=True, help="You looked at the pile: the card fits.")
@of_game
@pass_invocation
def play(
    invocation: Invocation, cards: tuple[str, ...], hidden: bool, confirmed: bool, game: str | None
) -> None:
    """Record cards laid: `play up1 17`, or several in order."""
    wanted = plays(cards, hidden=hidden, confirmed=confirmed)
    record(invocation, game, wanted)


@offline.command("draw")
@of_game
@pass_invocation
def draw(invocation: Invocation, game: str | None) -> None:
    """Record that the cards are drawn."""
    record(invocation, game, [actions.draw()])


@offline.command("end")
@of_game
@pass_invocation
def end(invocation: Invocation, game: str | None) -> None:
    """Record the end of the turn."""
    record(invocation, game, [actions.end_turn()])


@offline.command("block")
@of_game
@pass_invocation
def block(invocation: Invocation, game: str | None) -> None:
    """Record that the minimum cannot be laid."""
    record(invocation, game, [actions.block()])


@offline.command("confirm")
@of_game
@pass_invocation
def confirm(invocation: Invocation, game: str | None) -> None:
    """Record that the result is confirmed."""
    record(invocation, game, [actions.confirm()])


@offline.command("undo")
@of_game
@pass_invocation
def undo(invocation: Invocation, game: str | None) -> None:
    """Record that the last entry is taken back."""
    record(invocation, game, "undo")


@offline.command("redo")
@of_game
@pass_invocation
def redo(invocation: Invocation, game: str | None) -> None:
    """Record that the entry taken back last is done again."""
    record(invocation, game, "redo")


@offline.command("show")
@of_game
@pass_invocation
def show(invocation: Invocation, game: str | None) -> None:
    """Show the table as it was last seen, and what was recorded since."""
    chosen = known_game_id(invocation, game)
    recorded = invocation.journal(chosen).read()
    base = recorded.base if recorded else invocation.seen.game(chosen)
    if base is None:
        raise never_seen()
    found = recorded or Recorded(base)
    invocation.answer(
        {"base": base, "actions": list(found.actions), "unsent": list(found.unsent)},
        "The table as this machine last saw it:" if not found.actions else "The table before these entries:",
        game_view(base),
        *waiting(found),
    )


@offline.command("discard")
@click.option("--yes", is_flag=True, help="Without asking.")
@of_game
@pass_invocation
def discard(invocation: Invocation, yes: bool, game: str | None) -> None:
    """Give up what was recorded and not sent; its file is kept under another name."""
    chosen = known_game_id(invocation, game)
    journal = invocation.journal(chosen)
    with journal.exclusively():
        recorded = journal.read()
        if recorded is None or not recorded.actions:
            raise click.ClickException("Nothing is recorded offline for this game.")
        invocation.tell(*waiting(recorded))
        if not yes:
            click.confirm("Give these up?", abort=True, err=True)
        aside = journal.put_aside("discarded")
    invocation.answer(
        {"discarded": len(recorded.unsent), "kept_as": str(aside)},
        f"Given up: {entries(len(recorded.unsent))}. The file is kept as {aside}.",
    )
