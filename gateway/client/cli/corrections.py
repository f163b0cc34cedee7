"""Commands that correct a game: what the table shows, an earlier moment, a card named later."""

from typing import Any

import click

from gateway.client import actions
from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.look import of_game
from gateway.client.cli.shown import completed, said, table_options
from gateway.client.cli.turn import act
from gateway.client.cli.unsent import require_sent, went_on
from gateway.client.contract import ActionsAnswer, Entry
from gateway.client.problems import ApiProblem
from gateway.client.rendering.sentences import action, entry, seat_names
from gateway.client.rendering.table import game_view

UNDO = "`ninety8 undo` takes this back."


@click.command("adopt", cls=Command)
@table_options
@of_game
@pass_invocation
def adopt(invocation: Invocation, /, game: str | None, **shown: Any) -> None:
    """Go on from what the table shows, where the record went wrong: it starts a turn (Plus).

    What you leave out stays as recorded. An untouched pile shows 1 or 100, one not read is ?.
    """
    given = said(shown)
    if given.is_empty:
        raise click.UsageError("Say what the table shows: --up1 23 --deck 40 --hands 6,5 --seat NAME …")
    chosen = game_id(invocation, game)
    require_sent(invocation, chosen)
    client = invocation.client_at(chosen)
    now = client.games.get(chosen)
    table = completed(given, seat_names(now), [now["table"]])
    tell(
        invocation,
        client.games.adopt(chosen, table, expected_version=now["version"]),
        "The game goes on from what the table shows.",
    )


@click.command("rewind", cls=Command)
@click.argument("version", type=click.IntRange(min=0))
@of_game
@pass_invocation
def rewind(invocation: Invocation, version: int, game: str | None) -> None:
    """Go back to the game as it was at VERSION, which `ninety8 show --at VERSION` shows (Plus)."""
    chosen = game_id(invocation, game)
    require_sent(invocation, chosen)
    client = invocation.client_at(chosen)
    now = client.games.get(chosen)["version"]
    answer = client.games.rewind(chosen, version, expected_version=now)
    tell(invocation, answer, f"The game is as it was at version {version}; what came after stays in the log.")


def tell(invocation: Invocation, answer: ActionsAnswer, what: str) -> None:
    went_on(invocation, answer["game"])
    invocation.answer(answer, what, game_view(answer["game"]), UNDO)


@click.command("identify", cls=Command)
@click.argument("card", type=int)
@click.option(
    "--entry", "seq", type=click.IntRange(min=1), metavar="N", help="Which play: its number in the log."
)
@of_game
@pass_invocation
def identify(invocation: Invocation, card: int, seq: int | None, game: str | None) -> None:
    """Say which CARD was laid without its value (Plus)."""
    chosen = game_id(invocation, game)
    log = list(invocation.client_at(chosen).games.log(chosen))
    target = one_of(valueless(log), log, seq)
    try:
        act(invocation, chosen, [actions.identify(target["action"].get("id", ""), card)])
    except ApiProblem as problem:
        misfits = [it for it in log if it["action"].get("id") in (problem.errors or [])]
        if problem.code == "illegal_play" and misfits and not invocation.as_json:
            names = seat_names(invocation.client_at(chosen).games.get(chosen))
            viewpoint = invocation.viewpoint(chosen)
            click.echo(f"With {card} in entry {target['seq']} these would not fit:", err=True)
            for it in misfits:
                click.echo(entry(it, names, viewpoint=viewpoint), err=True)
        raise
    invocation.tell(f"Entry {target['seq']}, {action(target['action'])}: it was {card}. {UNDO}")


def valueless(log: list[Entry]) -> list[Entry]:
    """The plays that count, were sent without a value and are not named yet."""
    named = {
        it["action"].get("target") for it in log if it["action"]["type"] == "identify" and it["effective"]
    }
    return [
        it
        for it in log
        if it["action"]["type"] == "play"
        and it["action"].get("card") is None
        and it["effective"]
        and it["action"].get("id") not in named
    ]


def one_of(found: list[Entry], log: list[Entry], seq: int | None) -> Entry:
    """The play meant; where that is not clear, an error says which there are."""
    if seq is not None:
        meant = [it for it in log if it["seq"] == seq]
        if not meant:
            raise click.ClickException(f"The log has no entry {seq}.")
        return meant[0]
    if not found:
        raise click.ClickException("No card that counts was laid without its value.")
    if len(found) > 1:
        listed = "\n".join(f"{it['seq']:>4}  {action(it['action'])}" for it in found)
        raise click.ClickException(f"Several cards were laid without a value; say --entry N:\n{listed}")
    return found[0]
