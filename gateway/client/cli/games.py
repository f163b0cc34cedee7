"""Commands for games as a whole: start, list, pick, bin."""

from collections.abc import Iterable

import click

from gateway.client.cli.commands import Command, pass_invocation
from gateway.client.cli.find import find_player, first_seat, game_id, seats
from gateway.client.cli.invocation import Invocation
from gateway.client.contract import Game, Options
from gateway.client.games import Wanted
from gateway.client.joined import Joined
from gateway.client.problems import ApiProblem
from gateway.client.rendering.lists import games_view
from gateway.client.rendering.table import game_view, heading


@click.command("new", cls=Command)
@click.argument("players", nargs=-1, required=True)
@click.option("--difficulty", type=click.Choice(["normal", "expert"]), default="normal", show_default=True)
@click.option("--reduced-hand", is_flag=True, help="One card fewer in each hand.")
@click.option("--first", metavar="PLAYER", help="Who starts: a name, or a seat (the first name is seat 0).")
@pass_invocation
def new(
    invocation: Invocation, players: tuple[str, ...], difficulty: str, reduced_hand: bool, first: str | None
) -> None:
    """Start a game; PLAYERS sit clockwise in this order, saved ones by their name."""
    options = Options(reduced_hand=reduced_hand)
    options["difficulty"] = "expert" if difficulty == "expert" else "normal"
    seat = first_seat(list(players), first)
    if seat is not None:
        options["first_seat"] = seat
    wanted = seats(invocation.client.players.each(), players)
    game = invocation.client.games.start(wanted, options)
    invocation.home.use_game(invocation.url, game["id"])
    invocation.saw(game)
    invocation.answer(game, f"Game {game['id']} is on the table.", game_view(game))


@click.command("games", cls=Command)
@click.option("--bin", "binned", is_flag=True, help="Those in the bin.")
@click.option("--status", metavar="STATUS", help="Only playing, blocked, cleared or finished ones.")
@click.option("--player", metavar="PLAYER", help="Only those with this saved player.")
@pass_invocation
def games(invocation: Invocation, binned: bool, status: str | None, player: str | None) -> None:
    """List your games, and those you joined with your role in them; * marks the one in use."""
    player_id = find_player(invocation.client, player)["id"] if player else None
    joined = [] if binned or player else invocation.joined.each()
    is_signed_in = invocation.client.tokens.read() is not None
    query = Wanted(status=status, player_id=player_id, binned=binned)
    found = list(invocation.client.games.each(**query)) if is_signed_in or not joined else []
    theirs = {game["id"] for game in found}
    as_guest = [(it, as_guest_sees(invocation, it)) for it in joined if it.game_id not in theirs]
    as_guest = [
        (it, game) for it, game in as_guest if game is None or status in (None, game["table"]["status"])
    ]
    rows = found + [game for _, game in as_guest if game is not None]
    roles = roles_in(found) | {it.game_id: it.role for it, _ in as_guest}
    invocation.answer(
        {
            "items": found,
            "next_cursor": None,
            "joined": [
                {"game_id": it.game_id, "role": it.role, "expires_at": it.expires_at, "game": game}
                for it, game in as_guest
            ],
        },
        games_view(rows, invocation.home.current_game(invocation.url), roles)
        if rows
        else _nothing(binned, status, player),
        *(
            f"Ended: {it.game_id}; `ninety8 leave {it.game_id}` forgets it."
            for it, game in as_guest
            if not game
        ),
    )


def _nothing(binned: bool, status: str | None, player: str | None) -> str:
    """What to say where no game is to be listed."""
    if binned:
        return "Nothing is in the bin."
    if status or player:
        return "No such game."
    return "No game yet. `ninety8 new NAME NAME …` starts one, `ninety8 join CODE` joins one."


def roles_in(found: Iterable[Game]) -> dict[str, str]:
    """The role in each game that is shared with the account; a game of its own needs no word."""
    roles = {game["id"]: game["access"]["role"] for game in found if "access" in game}
    return {game_id: role for game_id, role in roles.items() if role != "owner"}


def as_guest_sees(invocation: Invocation, joined: Joined) -> Game | None:
    """A game joined with an invitation; None when that has ended, or the game is gone."""
    try:
        return invocation.as_guest(joined).games.get(joined.game_id)
    except ApiProblem as problem:
        if problem.status in (401, 404):
            return None
        raise


@click.command("use", cls=Command)
@click.argument("game")
@pass_invocation
def use(invocation: Invocation, game: str) -> None:
    """Make GAME (its id, or the unique beginning or end of it) the one that commands mean."""
    meant = game_id(invocation, game)
    chosen = invocation.client_at(meant).games.get(meant)
    invocation.home.use_game(invocation.url, chosen["id"])
    invocation.saw(chosen)
    invocation.answer(chosen, f"In use: {heading(chosen)}.")


@click.command("bin", cls=Command)
@click.argument("game", required=False)
@pass_invocation
def to_bin(invocation: Invocation, game: str | None) -> None:
    """Put GAME, or the one in use, into the bin; it is gone for good after 30 days."""
    chosen = game_id(invocation, game)
    invocation.client_at(chosen).games.delete(chosen)
    invocation.answer({"binned": chosen}, "In the bin.", f"Next: ninety8 restore {chosen} takes it back.")


@click.command("restore", cls=Command)
@click.argument("game", required=False)
@pass_invocation
def restore(invocation: Invocation, game: str | None) -> None:
    """Take GAME, or the one in use, out of the bin."""
    restored = invocation.client.games.restore(game_id(invocation, game, binned=True))
    invocation.answer(restored, f"Restored: {heading(restored)}.")
