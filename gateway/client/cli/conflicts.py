"""Commands for a game that is told in two ways: looking at both sides, deciding, reopening one of them."""

from contextlib import suppress
from typing import Any

import click

from gateway.client.branches import Choice, Conflict, Side
from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id, matching_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.shown import completed, said, table_options
from gateway.client.cli.unsent import settle
from gateway.client.contract import Entry
from gateway.client.home import HomeUnusable
from gateway.client.ninety_eight import NinetyEight
from gateway.client.problems import ApiProblem
from gateway.client.rendering.choices import other_sides
from gateway.client.rendering.conflicts import conflict_lines, conflicts_view
from gateway.client.rendering.corrections import proof
from gateway.client.rendering.sentences import seat_names
from gateway.client.rendering.table import game_view, heading

DECIDED = {
    "cloud": "the shared game stands",
    "device": "the offline device's story stands",
    "merged": "both stories stand together",
    "table": "the game goes on from what the table shows",
}


@click.command("conflicts", cls=Command)
@click.option("--status", type=click.Choice(["pending", "needs_decision", "merged", "settled"]))
@pass_invocation
def conflicts(invocation: Invocation, status: Any) -> None:
    """List the games of yours that two devices tell differently, newest first."""
    found = list(invocation.client.conflicts.each(status=status))
    shown = conflicts_view(found) if found else "No game is told in two ways."
    invocation.answer({"items": found, "next_cursor": None}, shown)


@click.command("conflict", cls=Command)
@click.argument("conflict")
@pass_invocation
def conflict(invocation: Invocation, conflict: str) -> None:
    """Show both sides of CONFLICT, what is asked of the table, and what each choice would discard."""
    client, found = find(invocation, conflict)
    settle(invocation, found)
    tell_conflict(invocation, client, found)
    invocation.answer(found)


@click.command("decide", cls=Command)
@click.argument("conflict")
@click.argument("choice", type=click.Choice(["cloud", "device", "merged", "table"]))
@table_options
@pass_invocation
def decide(invocation: Invocation, /, conflict: str, choice: Choice, **shown: Any) -> None:
    """Settle CONFLICT: keep one side, both together (merged), or what the table shows.

    With `table`, say what you see where the sides differ: --up1 23 --deck 40 --hands 6,5.
    """
    given = said(shown)
    if choice != "table" and not given.is_empty:
        raise click.UsageError(f"What the table shows goes with the choice `table`, not with `{choice}`.")
    client, found = find(invocation, conflict)
    names = seat_names(client.games.get(found["game_id"]))
    tables = [side["table"] for side in (found["cloud"], found["device"]) if side["table"] is not None]
    table = completed(given, names, tables) if choice == "table" else None
    looked_at = invocation.seen.looked_at(found["id"])
    try:
        game = client.conflicts.decide(found["id"], choice, table=table, expected_version=looked_at)
    except ApiProblem as problem:
        moved_on(invocation, client, problem, names)
        raise
    invocation.saw(game)
    settle(invocation, Conflict(**{**found, "status": "settled"}))
    invocation.answer(
        game,
        f"Decided: {DECIDED[choice]}.",
        game_view(game),
        "`ninety8 undo` takes the decision back.",
        *other_sides(found),
    )


def moved_on(invocation: Invocation, client: NinetyEight, problem: ApiProblem, names: list[str]) -> None:
    """Where the game went on since the conflict was looked at: show it as it is now, nothing is decided."""
    fresh = problem.document.get("conflict")
    if problem.code == "version_conflict" and isinstance(fresh, dict):
        invocation.names = names
        if not invocation.as_json:
            invocation.reader = invocation.viewpoint(fresh["game_id"])
        invocation.tell("The game went on since you looked, so nothing is decided yet. As it is now:", "")
        tell_conflict(invocation, client, Conflict(**fresh))  # type: ignore[typeddict-item]


@click.command("reopen", cls=Command)
@click.argument("conflict")
@click.argument("side", type=click.Choice(["cloud", "device"]))
@pass_invocation
def reopen(invocation: Invocation, conflict: str, side: Side) -> None:
    """Open one side of CONFLICT as a game of its own; the game itself stays as it is."""
    client, found = find(invocation, conflict)
    game = client.conflicts.reopen(found["id"], side)
    invocation.answer(
        game, f"A game of its own: {heading(game)}.", f"Next: ninety8 use {game['id']} goes on with it."
    )


def find(invocation: Invocation, wanted: str) -> tuple[NinetyEight, Conflict]:
    """The conflict with this id, or the unique beginning or end of it, and the client that may read it."""
    client = invocation.client
    if client.tokens.read() is None:
        client = invocation.client_at(game_id(invocation, None))
    known = matching_id(wanted, lambda: [it["id"] for it in client.conflicts.each()], "conflicts")
    return client, client.conflicts.get(known)


def tell_conflict(invocation: Invocation, client: NinetyEight, found: Conflict) -> None:
    """Show a conflict, and remember what was shown: a decision is about that and nothing later."""
    with suppress(HomeUnusable):
        invocation.seen.saw_conflict(found["id"], found["cloud_version"])
    if invocation.as_json:
        return
    game = client.games.get(found["game_id"])
    is_settled = found["status"] in ("merged", "settled")
    log = list(client.games.log(game["id"], after=found["base_version"])) if is_settled else []
    invocation.tell(*conflict_lines(found, seat_names(game), invocation.viewpoint(game["id"]), log))
    if found["status"] == "pending":
        invocation.tell(f"Still being compared; nothing is lost. Again: ninety8 conflict {found['id']}")
    elif is_settled:
        invocation.saw(game)
        invocation.tell(*settlement(log, found), game_view(game))


def settlement(log: list[Entry], found: Conflict) -> list[str]:
    """What the log says about how a conflict was settled."""
    for it in log:
        action = it["action"]
        if action["type"] == "resolve" and action.get("conflict_id") == found["id"] and it["effective"]:
            if "proof" in action:
                return [f"Nothing was lost: {proof(action['proof'])}."]
            return [f"Decided in entry {it['seq']}: {DECIDED.get(str(action.get('choice')), 'settled')}."]
    return []
