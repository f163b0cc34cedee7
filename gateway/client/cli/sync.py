"""The command that brings in what was recorded offline, waits for what becomes of it, and says so."""

import time

import click

from gateway.client.branches import Conflict
from gateway.client.cli.commands import REFUSED, Command, pass_invocation
from gateway.client.cli.conflicts import tell_conflict
from gateway.client.cli.delivery import missed_without_plus, tell_delivered
from gateway.client.cli.find import game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.look import of_game
from gateway.client.cli.unsent import entries, settle
from gateway.client.journal import Journal
from gateway.client.ninety_eight import NinetyEight
from gateway.client.offline import Recorded
from gateway.client.problems import ApiProblem, ClientError
from gateway.client.rendering.branches import torn
from gateway.client.rendering.sentences import seat_names
from gateway.client.sending import Delivered, deliver

DEVICE = "command line"
FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 1.0


@click.command("sync", cls=Command)
@click.option(
    "--wait",
    "wait_s",
    type=click.FloatRange(min=0, max=600),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait until two stories are compared.",
)
@of_game
@pass_invocation
def sync(invocation: Invocation, wait_s: float, game: str | None) -> None:
    """Send what was recorded offline; nothing of it is given up before the gateway has answered."""
    chosen = game_id(invocation, game)
    journal = invocation.journal(chosen)
    client = invocation.client_at(chosen)
    delivered, conflict_id = None, None
    with journal.exclusively():
        recorded = journal.read()
        if recorded is not None and recorded.unsent:
            delivered = send(invocation, client, journal, recorded)
            conflict_id = delivered.conflict_id
        elif recorded is not None:
            conflict_id = recorded.conflict_id
    if recorded is not None:
        invocation.tell(*torn(recorded))
    if delivered is None and conflict_id is None:
        invocation.answer(
            {"answer": None, "conflict": None},
            "Nothing is waiting here: all that was entered on this machine is sent.",
        )
        return
    if delivered is not None:
        tell_delivered(invocation, client, delivered)
    conflict = None if conflict_id is None else settled(invocation, client, conflict_id, wait_s)
    if conflict is not None:
        settle(invocation, conflict)
        tell_conflict(invocation, client, conflict)
    if invocation.as_json:
        answer = None if delivered is None else {"version": delivered.version, "outcomes": delivered.outcomes}
        invocation.answer({"answer": answer, "conflict": conflict})


def send(invocation: Invocation, client: NinetyEight, journal: Journal, recorded: Recorded) -> Delivered:
    """Send the branch; where that fails, say first that it is still here."""
    joined = invocation.joined.get(journal.game_id)
    device = invocation.device or (joined.device if joined else None) or DEVICE
    try:
        return deliver(client, journal, recorded, device)
    except ClientError as failure:
        after = journal.read()
        left = len(after.unsent) if after else 0
        click.echo(
            f"Not sent: {entries(left)} recorded offline, kept on this machine. `ninety8 sync` again sends;"
            " nothing counts twice.",
            err=True,
        )
        if isinstance(failure, ApiProblem) and failure.missed and not invocation.as_json:
            viewpoint = invocation.viewpoint(journal.game_id)
            for line in missed_without_plus(failure, seat_names(recorded.base), viewpoint):
                click.echo(line, err=True)
            raise click.exceptions.Exit(REFUSED) from failure
        raise


def settled(invocation: Invocation, client: NinetyEight, conflict_id: str, wait_s: float) -> Conflict:
    """The conflict once its stories are compared, or as it is when the time is over."""
    deadline, pause_s, is_told = time.monotonic() + wait_s, FIRST_PAUSE_S, False
    while True:
        conflict = client.conflicts.get(conflict_id)
        left_s = deadline - time.monotonic()
        if conflict["status"] != "pending" or left_s <= 0:
            if is_told:
                click.echo("", err=True)
            return conflict
        if not invocation.as_json:
            said = (
                "."
                if is_told
                else "The game went on elsewhere meanwhile; the two stories are being compared "
            )
            click.echo(said, err=True, nl=False)
            is_told = True
        time.sleep(min(pause_s, left_s))
        pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
