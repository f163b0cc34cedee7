"""Putting what a person says happened into the journal of their machine."""

from collections.abc import Sequence
from datetime import UTC, datetime

import click

from gateway.client import actions
from gateway.client.cli.find import known_game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.unsent import entries
from gateway.client.contract import Action, Reference
from gateway.client.offline import MOST_ACTIONS, Recorded
from gateway.client.rendering.branches import torn
from gateway.client.rendering.sentences import action


def record(invocation: Invocation, game: str | None, wanted: Sequence[Action] | str) -> None:
    """Add entries to the journal; `undo` and `redo` mean the one at hand."""
    chosen = known_game_id(invocation, game)
    journal = invocation.journal(chosen)
    joined = invocation.joined.get(chosen)
    if joined is not None and joined.role == "viewer":
        raise click.ClickException("You joined this game to watch it, so nothing you record could be sent.")
    with journal.exclusively():
        recorded = journal.read()
        base = recorded.base if recorded else invocation.seen.game(chosen)
        if base is None:
            raise never_seen()
        before = recorded or Recorded(base)
        found = [targeted(before, wanted)] if isinstance(wanted, str) else list(wanted)
        if len(before.actions) + len(found) > MOST_ACTIONS:
            raise click.ClickException(f"{MOST_ACTIONS} entries are recorded. First: ninety8 sync.")
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        stamped = [Action(**{**it, "at": now}) for it in found]
        if recorded is None:
            journal.begin(base)
        journal.record(stamped)
    told = ", ".join(said(before, it) for it in stamped)
    unsent = len(before.unsent) + len(stamped)
    invocation.answer(
        {"game_id": chosen, "base_version": base["version"], "recorded": stamped, "unsent": unsent},
        f"Recorded on this machine, not checked yet: {told}.",
        *([] if recorded else [f"It follows version {base['version']}, the last that was seen here."]),
        f"Not sent yet: {entries(unsent)}. `ninety8 sync` sends, `ninety8 offline show` lists what waits.",
        *torn(before),
    )


def targeted(recorded: Recorded, kind: str) -> Action:
    """The undo or redo of what is at hand, with its target: so it can never hit anything else."""
    at_hand = recorded.undo() if kind == "undo" else recorded.redo()
    if at_hand is None:
        raise click.ClickException(
            f"This machine knows of nothing to {kind}; nothing was recorded. Without a network only what was"
            " recorded here, and the last entry seen before, can be taken back."
        )
    return actions.undo(at_hand["target"]) if kind == "undo" else actions.redo(at_hand["target"])


def said(recorded: Recorded, item: Action) -> str:
    """An entry in words; undo and redo with what they mean."""
    if item["type"] not in ("undo", "redo"):
        return action(item)
    meant: Reference | None = recorded.undo() if item["type"] == "undo" else recorded.redo()
    known = {it.get("id"): it for it in recorded.actions}
    target = known.get(item.get("target"))
    return f"{item['type']} of {action(target) if target else meant['type'] if meant else 'an entry'}"


def never_seen() -> click.ClickException:
    return click.ClickException(
        "This machine has never seen the game, so it cannot say what it goes on from."
        " With a network: ninety8 use GAME."
    )
