"""Commands of whoever is invited: joining a game, with an account or as a guest, and leaving it."""

import re

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import game_id
from gateway.client.cli.invocation import Invocation, role_of
from gateway.client.contract import Game
from gateway.client.joined import Joined
from gateway.client.ninety_eight import DEFAULT_URL
from gateway.client.problems import ApiProblem
from gateway.client.rendering.invitations import meaning
from gateway.client.rendering.moments import local
from gateway.client.rendering.table import game_view, heading
from gateway.client.rendering.text import printable
from gateway.client.sharing import AccountAnswer, GuestAnswer, allows_more
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
@click.option("--as-guest", is_flag=True, help="Join on this machine alone, though somebody is signed in.")
@pass_invocation
def join(invocation: Invocation, invitation: str, as_guest: bool) -> None:
    """Join a game with an INVITATION: its code, or the whole link. No account needed.

    With one the game is among your games from then on, wherever you sign in. --device NAME says what the
    others see this machine called.
    """
    code = understood(invocation, invitation)
    invitations = invocation.client.invitations
    is_guest = as_guest or invocation.client.tokens.read() is None
    accepted = invitations.accept(code) if is_guest else invitations.join(code)
    invocation.home.use_game(invocation.url, accepted["game_id"])
    if accepted["access_token"] is None:
        joined_with_account(invocation, accepted)
    else:
        joined_as_guest(invocation, accepted)
    if not invocation.has_url and invocation.url != DEFAULT_URL:
        invocation.tell(f"This game is elsewhere, so first: export NINETY8_URL={invocation.url}")


def joined_with_account(invocation: Invocation, accepted: AccountAnswer) -> None:
    """Use the game with the account's own token; a guest's that allows no more is of no use any more."""
    chosen, role = accepted["game_id"], accepted["role"]
    joined = invocation.joined.get(chosen)
    if joined is not None and not invocation.is_worth_more(joined, role):
        invocation.joined.forget(chosen)
        joined = None
    game = invocation.client.games.get(chosen)
    if role == "owner":
        told_of_own(invocation, game, role)
        return
    invocation.saw(game)
    able = joined.role if joined else role
    invocation.answer(
        {**accepted, "game": game},
        f"Joined as {printable(role)}, {meaning(role)}. It is among your games now: ninety8 games.",
        *([f"On this machine you stay a guest as {able}, {meaning(able)}."] if joined else []),
        game_view(game),
        *([NEXT[able]] if able in NEXT else []),
    )


def joined_as_guest(invocation: Invocation, accepted: GuestAnswer) -> None:
    """Keep a guest's token on this machine, unless more is allowed here already: to an account or a guest."""
    chosen = accepted["game_id"]
    role, earlier = invocation.role_in(chosen), invocation.joined.get(chosen)
    if allows_more(role, accepted["role"]):
        told_of_own(invocation, invocation.client.games.get(chosen), role)
        return
    if earlier is not None and invocation.is_worth_more(earlier, accepted["role"]):
        told_of_own(invocation, invocation.as_guest(earlier).games.get(chosen), earlier.role)
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


def told_of_own(invocation: Invocation, game: Game, role: str | None) -> None:
    """Say that nothing was given, since as much is allowed on this machine already, by `role`."""
    already = f"among your games already, as {printable(str(role))}"
    whose = "a game of your own" if role == "owner" else already
    invocation.saw(game)
    invocation.answer(game, f"This is {whose}, in use now: {heading(game)}.")


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
    was_guest = invocation.joined.get(chosen) is not None
    # A guest's token may have been kept beside what an account has, and is left though nobody is signed in.
    role = invocation.role_in(chosen) if was_guest else role_of(invocation.client, chosen, nothing=(404,))
    if role == "owner" and not was_guest:
        raise not_joined()
    is_left = (role in ("recorder", "viewer") and ended(invocation, chosen)) or was_guest
    invocation.joined.forget(chosen)
    was_used = invocation.home.put_aside(chosen)
    if is_left:
        told = "Left. Joining it again takes an invitation."
    elif was_used or role is not None:
        told = (
            "This game is not among yours any more, so there was nothing to leave. Forgotten on this machine."
        )
    else:
        raise not_joined()
    invocation.answer({"left": chosen}, told)


def ended(invocation: Invocation, chosen: str) -> bool:
    """End what the account has of the game; False where that has ended meanwhile."""
    try:
        invocation.client.games.leave(chosen)
    except ApiProblem as problem:
        if problem.code != "not_found":
            raise
        return False
    return True


def not_joined() -> click.ClickException:
    return click.ClickException("This game was not joined with an invitation. See `ninety8 games`.")
