"""Commands of a guest: joining a game with an invitation, and leaving it."""

import re

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id
from gateway.client.cli.invocation import Invocation
from gateway.client.joined import Joined
from gateway.client.ninety_eight import DEFAULT_URL
from gateway.client.rendering.invitations import meaning
from gateway.client.rendering.moments import local
from gateway.client.rendering.table import game_view, heading
from gateway.client.transport import is_address

_LINK = re.compile(r"(?P<url>https?://\S+?)/*(?:/join/?)?#(?P<code>\S+)", re.IGNORECASE)
NEXT = {
    "recorder": "Next: ninety8 play, draw, end … enter what happens; ninety8 watch shows it live.",
    "viewer": "Next: ninety8 watch shows each entry as it is made.",
}


# A code may begin with a hyphen and hold any letter, so there is no -h here.
@click.command(
    "join", cls=Command, context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]}
)
@click.argument("invitation")
@pass_invocation
def join(invocation: Invocation, invitation: str) -> None:
    """Join a game with an INVITATION: its code, or the whole link. No account needed.

    --device NAME says what the others see this machine called.
    """
    code = understood(invocation, invitation)
    accepted = invocation.client.invitations.accept(code)
    chosen = accepted["game_id"]
    invocation.home.use_game(invocation.url, chosen)
    if invocation.owns(chosen):
        game = invocation.client.games.get(chosen)
        invocation.saw(game)
        invocation.answer(game, f"This is a game of your own, in use now: {heading(game)}.")
        return
    joined = Joined(
        chosen,
        accepted["access_token"],
        accepted["role"],
        accepted["expires_at"],
        accepted["guest_id"],
        invocation.device,
    )
    invocation.joined.keep(joined)
    game = invocation.as_guest(joined).games.get(chosen)
    invocation.saw(game)
    document = {name: value for name, value in accepted.items() if name != "access_token"}
    invocation.answer(
        {**document, "game": game},
        f"Joined as {joined.role}, {meaning(joined.role)}, until {local(joined.expires_at)}.",
        game_view(game),
        *([NEXT[joined.role]] if joined.role in NEXT else []),
    )
    if not invocation.has_url and invocation.url != DEFAULT_URL:
        invocation.tell(f"This game is elsewhere, so first: export NINETY8_URL={invocation.url}")


def understood(invocation: Invocation, given: str) -> str:
    """The code in what was given; a link also says where the game is, unless an address was given."""
    link = _LINK.fullmatch(given.strip())
    if link is None:
        return given.strip().rpartition("#")[2]
    if not invocation.has_url and is_address(link["url"]):
        invocation.url = link["url"]
    return link["code"]


@click.command("leave", cls=Command)
@click.argument("game", required=False)
@pass_invocation
def leave(invocation: Invocation, game: str | None) -> None:
    """Leave GAME, or the one in use, which was joined with an invitation."""
    chosen = game_id(invocation, game)
    if invocation.joined.get(chosen) is None:
        raise click.ClickException("This game was not joined with an invitation. See `ninety8 games`.")
    invocation.joined.forget(chosen)
    invocation.home.put_aside(chosen)
    invocation.answer({"left": chosen}, "Left. Joining it again takes an invitation.")
