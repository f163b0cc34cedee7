"""What became of entries that were sent later, told to whoever recorded them, and why where refused."""

from collections.abc import Iterable, Sequence

from gateway.client.cli.invocation import Invocation
from gateway.client.cli.unsent import entries
from gateway.client.contract import Outcome
from gateway.client.ninety_eight import NinetyEight
from gateway.client.problems import ApiProblem, ClientError
from gateway.client.rendering.authors import Viewpoint
from gateway.client.rendering.branches import became
from gateway.client.rendering.sentences import entry, next_step, seat_names
from gateway.client.rendering.table import standing
from gateway.client.rendering.text import printable
from gateway.client.sending import Delivered


def missed_without_plus(problem: ApiProblem, names: Sequence[str], viewpoint: Viewpoint) -> list[str]:
    """What to tell whoever may not bring two stories together."""
    return [
        "The game went on elsewhere while this machine was offline, so they cannot simply be added:",
        *(entry(missed, names, viewpoint=viewpoint) for missed in problem.missed),
        "With Plus (ninety8 plus redeem CODE) `ninety8 sync` brings both stories together.",
        "Without it: `ninety8 offline show` lists yours, `ninety8 offline discard` gives them up (their file",
        "is kept); then `ninety8 play` … enters what the game still lacks.",
    ]


def tell_delivered(invocation: Invocation, client: NinetyEight, delivered: Delivered) -> None:
    """What became of each entry."""
    if invocation.as_json:
        return
    outcomes = delivered.outcomes
    accepted = "kept for comparing" if delivered.conflict_id else "in the game"
    invocation.tell(
        f"Sent: {entries(len(outcomes))}.",
        *became(delivered.actions, outcomes, reasons(client, outcomes), accepted),
    )
    refused = sum(it["verdict"] == "rejected" for it in outcomes)
    if refused and delivered.is_parked:
        invocation.tell(
            f"{refused} of them changed nothing and are parked: enter what really happened, then"
            " ninety8 parked and ninety8 unpark ACTION put them away."
        )
    elif refused:
        invocation.tell(
            f"{refused} of them changed nothing: look at the table and enter what really happened."
        )
    if delivered.game is not None:
        game = delivered.game
        invocation.saw(game)
        step = next_step(game["table"], seat_names(game))
        invocation.tell(
            f"The game is at version {game['version']}.", standing(game["table"]), *([step] if step else [])
        )


def reasons(client: NinetyEight, outcomes: Iterable[Outcome]) -> dict[str, str]:
    """What each code means that something was refused with, as the gateway explains it."""
    codes = {str(it["code"]) for it in outcomes if it["verdict"] == "rejected" and "code" in it}
    found = {}
    for code in sorted(codes):
        try:
            found[printable(code)] = str(client.system.problem(code)["detail"])
        except (ClientError, KeyError):
            continue
    return found
