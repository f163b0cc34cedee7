"""What is recorded on this machine and not sent yet, as far as commands with a network care about it."""

import click

from gateway.client.branches import Conflict
from gateway.client.cli.invocation import Invocation
from gateway.client.contract import Game


def entries(count: int) -> str:
    """A number of entries in words."""
    return "1 entry" if count == 1 else f"{count} entries"


def require_sent(invocation: Invocation, chosen: str) -> None:
    """Refuse to go on where entries recorded offline come first: they would be judged in the wrong order."""
    recorded = invocation.journal(chosen).read()
    if recorded is not None and recorded.unsent:
        raise click.ClickException(
            f"{entries(len(recorded.unsent))} recorded offline on this machine come before this and are not"
            " sent yet; nothing was entered.\n"
            "Next: ninety8 sync sends them. Or record this too: ninety8 offline play, draw, end …"
        )


def went_on(invocation: Invocation, game: Game) -> None:
    """Remember a game that this machine has added to; what it had recorded offline is not continued then."""
    invocation.saw(game)
    journal = invocation.journal(game["id"])
    if journal.read() is None:
        return
    with journal.exclusively():
        recorded = journal.read()
        if recorded is not None and not recorded.unsent:
            journal.put_aside("sent")


def tell_waiting(invocation: Invocation, chosen: str) -> None:
    """Say what of a game this machine has not sent yet, or that waits for a decision."""
    recorded = invocation.journal(chosen).read()
    if recorded is None or invocation.as_json:
        return
    if recorded.unsent:
        click.echo(
            f"Without {entries(len(recorded.unsent))} recorded offline on this machine"
            " (ninety8 offline show): ninety8 sync sends them.",
            err=True,
        )
    elif recorded.conflict_id:
        click.echo(
            f"What was recorded offline here waits for a decision: ninety8 conflict {recorded.conflict_id}",
            err=True,
        )


def settle(invocation: Invocation, conflict: Conflict) -> None:
    """Forget a branch once its conflict is settled, unless this machine has recorded more since."""
    if conflict["status"] not in ("merged", "settled"):
        return
    journal = invocation.journal(conflict["game_id"])
    if journal.read() is None:
        return
    with journal.exclusively():
        recorded = journal.read()
        if recorded is not None and recorded.conflict_id == conflict["id"] and not recorded.unsent:
            journal.put_aside("sent")
