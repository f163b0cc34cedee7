"""From what a person types to the id that is meant: players by name, games by a piece of their id."""

import re
from collections.abc import Callable, Iterable

import click

from gateway.client.cli.invocation import Invocation
from gateway.client.contract import Player, SeatWanted
from gateway.client.ninety_eight import NinetyEight

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def find_player(client: NinetyEight, wanted: str) -> Player:
    """The saved player with this id or this name (in any case); an error when none or several have it.

    Archived and merged ones are meant only where nobody else is called so.
    """
    if _UUID.fullmatch(wanted):
        return client.players.get(wanted)
    everyone = _named(client.players.each(archived="all", merged="all"), wanted)
    found = [player for player in everyone if not is_aside(player)] or everyone
    if not found:
        raise click.ClickException(f"No saved player is called {wanted}. See `ninety8 players list`.")
    if len(found) > 1:
        raise click.ClickException(f"Several saved players are called {wanted}. Give the id instead.")
    return found[0]


def seats(saved: Iterable[Player], wanted: Iterable[str]) -> list[SeatWanted]:
    """Seats in the order given: saved players where a name (or id) is saved, free names elsewhere."""
    usable = [player for player in saved if not is_aside(player)]
    return [_seat(usable, name) for name in wanted]


def is_aside(player: Player) -> bool:
    """Whether a player is archived, or known as another one now."""
    return bool(player.get("archived") or player.get("merged_into"))


def _seat(saved: list[Player], name: str) -> SeatWanted:
    found = [player for player in saved if player["id"] == name] or _named(saved, name)
    if len(found) > 1:
        raise click.ClickException(f"Several saved players are called {name}. Give the id instead.")
    return SeatWanted(player_id=found[0]["id"]) if found else SeatWanted(name=name)


def _named(players: Iterable[Player], name: str) -> list[Player]:
    return [player for player in players if player["name"].casefold() == name.casefold()]


def first_seat(names: list[str], wanted: str | None) -> int | None:
    """The seat that starts: one of `names`, or a number, the first name being seat 0."""
    if wanted is None:
        return None
    for seat, name in enumerate(names):
        if name.casefold() == wanted.casefold():
            return seat
    if wanted.isdecimal() and int(wanted) < len(names):
        return int(wanted)
    raise click.UsageError(f"--first: {wanted} is none of {', '.join(names)}.")


def game_id(invocation: Invocation, wanted: str | None, *, binned: bool = False) -> str:
    """The id of the game meant: given whole, by its unique beginning or end, or the current one.

    `binned` says where a piece of an id is looked for.
    """
    is_signed_in = invocation.client.tokens.read() is not None
    if wanted is None:
        current = invocation.home.current_game(invocation.url)
        if not is_signed_in and (current is None or invocation.joined.get(current) is None):
            raise click.ClickException(
                "Nobody is signed in here. `ninety8 sign-in EMAIL`, `sign-up`, or `join` with an invitation."
            )
        if current is None:
            raise click.ClickException(
                "No game is in use. `ninety8 new` starts one, `ninety8 use` picks one."
            )
        return current
    if _UUID.fullmatch(wanted):
        return wanted.lower()
    piece = wanted.lower()
    ids = {joined.game_id for joined in invocation.joined.each()}
    if is_signed_in or not ids:
        ids |= {game["id"] for game in invocation.client.games.each(binned=binned)}
    found = matching(ids, piece)
    if len(found) != 1:
        raise click.ClickException(f"{len(found) or 'No'} games match {wanted}. See `ninety8 games`.")
    return found[0]


def known_game_id(invocation: Invocation, wanted: str | None) -> str:
    """The id of the game meant as far as this machine knows it: no network is needed."""
    if wanted is None:
        current = invocation.home.current_game(invocation.url)
        if current is None:
            raise click.ClickException("No game is in use. With a network: ninety8 use GAME.")
        return current
    if _UUID.fullmatch(wanted):
        return wanted.lower()
    found = matching(invocation.seen.game_ids(), wanted.lower())
    if len(found) != 1:
        count = len(found) or "No"
        raise click.ClickException(f"{count} games seen on this machine match {wanted}. Give the whole id.")
    return found[0]


def matching_id(wanted: str, ids: Callable[[], Iterable[str]], what: str) -> str:
    """The id meant: given whole, or by its unique beginning or end among `ids`, which are asked for then."""
    if _UUID.fullmatch(wanted):
        return wanted.lower()
    found = matching(ids(), wanted.lower())
    if len(found) != 1:
        raise click.ClickException(f"{len(found) or 'No'} {what} match {wanted}. See `ninety8 {what}`.")
    return found[0]


def matching(ids: Iterable[str], piece: str) -> list[str]:
    """Those of `ids` that begin or end with `piece`."""
    return [known for known in ids if known.startswith(piece) or known.endswith(piece)]
