"""Commands of a game's owner for inviting others to it."""

import re
import sys
from typing import Any, Literal

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id, matching
from gateway.client.cli.invocation import Invocation
from gateway.client.cli.look import of_game
from gateway.client.rendering.invitations import invitations_view, meaning, scannable
from gateway.client.rendering.moments import local
from gateway.client.rendering.text import printable

SHORTEST_S = 60
LONGEST_S = 30 * 86_400
_UNITS_S = {"m": 60, "h": 3600, "d": 86_400}


class Span(click.ParamType[int]):
    """A span of time like `30m`, `24h` or `7d`, in seconds."""

    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"([0-9]{1,6})([mhd])", str(value).strip().lower())
        seconds = int(found[1]) * _UNITS_S[found[2]] if found else 0
        if not SHORTEST_S <= seconds <= LONGEST_S:
            self.fail(f"{value} is not a time from 1m to 30d: give minutes, hours or days, like 24h.")
        return seconds


@click.command("invite", cls=Command)
@click.option(
    "--role",
    type=click.Choice(["recorder", "viewer"]),
    default="recorder",
    show_default=True,
    help="A recorder enters what happens, a viewer only watches.",
)
@click.option("--expires", type=Span(), default="24h", show_default=True, help="For how long: 30m, 24h, 7d.")
@click.option("--qr/--no-qr", default=None, help="Show the link as a QR code (default: in a terminal).")
@of_game
@pass_invocation
def invite(
    invocation: Invocation,
    role: Literal["recorder", "viewer"],
    expires: int,
    qr: bool | None,
    game: str | None,
) -> None:
    """Invite somebody to a game of yours, no account needed (Plus)."""
    chosen = game_id(invocation, game)
    made = invocation.client_at(chosen).invitations.create(chosen, role, expires_in_s=expires)
    is_terminal = sys.stdout.isatty()
    drawn = scannable(made["url"]) if qr or (qr is None and is_terminal) else []
    invocation.answer(
        made,
        f"Invitation {meaning(made['role'])}, valid until {local(made['expires_at'])}.",
        f"Code: {printable(made['code'])}",
        f"Link: {printable(made['url'])}",
        *(click.style(line, fg="bright_white", bg="black") for line in drawn),
        "There: ninety8 join CODE, or the link. The code is shown this once.",
        f"Here: ninety8 revoke {printable(made['id'])} withdraws it.",
    )


@click.command("invitations", cls=Command)
@of_game
@pass_invocation
def invitations(invocation: Invocation, game: str | None) -> None:
    """List the invitations to a game of yours."""
    chosen = game_id(invocation, game)
    found = list(invocation.client_at(chosen).invitations.each(chosen))
    shown = invitations_view(found) if found else "Nobody is invited. `ninety8 invite` makes an invitation."
    invocation.answer({"items": found, "next_cursor": None}, shown)


@click.command("revoke", cls=Command)
@click.argument("invitation")
@of_game
@pass_invocation
def revoke(invocation: Invocation, invitation: str, game: str | None) -> None:
    """Withdraw INVITATION (its id, or the unique beginning or end of it); its guests are out at once."""
    chosen = game_id(invocation, game)
    client = invocation.client_at(chosen)
    found = matching([it["id"] for it in client.invitations.each(chosen)], invitation.lower())
    if len(found) != 1:
        count = len(found) or "No"
        raise click.ClickException(f"{count} invitations match {invitation}. See `ninety8 invitations`.")
    client.invitations.revoke(chosen, found[0])
    invocation.answer({"revoked": found[0]}, "Withdrawn. Whoever joined with it is out.")
