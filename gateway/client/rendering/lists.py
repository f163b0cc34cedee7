"""Lists of games and of saved players."""

from collections.abc import Iterable, Mapping

from rich.table import Table as Grid
from rich.text import Text

from gateway.client.contract import Game, Player
from gateway.client.rendering.sentences import seat_names
from gateway.client.rendering.text import printable


def games_view(games: Iterable[Game], current: str | None, roles: Mapping[str, str] | None = None) -> Grid:
    """One row a game; the current one is marked, and the role in each that was joined."""
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for column in ("", "game", "players", "status", "left", "changed", ""):
        grid.add_column(column, no_wrap=column == "game", justify="right" if column == "left" else "left")
    for game in games:
        cells = (
            "*" if game["id"] == current else "",
            game["id"],
            ", ".join(seat_names(game)),
            status(game),
            str(game["table"]["remaining"]),
            game["updated_at"][:16].replace("T", " "),
            printable((roles or {}).get(game["id"], "")),
        )
        grid.add_row(*map(Text, cells))
    return grid


def status(game: Game) -> str:
    """How far a game is, in a word."""
    result = game["result"]
    if result is None:
        return game["table"]["status"]
    return "won" if result["outcome"] == "win" else "finished"


def players_view(players: Iterable[Player]) -> Grid:
    """One row a saved player."""
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for column in ("name", "colour", "", "id"):
        grid.add_column(column, no_wrap=column == "id")
    for player in players:
        colour = printable(player.get("colour") or "")
        grid.add_row(*map(Text, (printable(player["name"]), colour, standing(player), player["id"])))
    return grid


def standing(player: Player) -> str:
    """What is special about a player: archived, merged into another one, or nothing."""
    if player.get("merged_into"):
        return "merged"
    return "archived" if player.get("archived") else ""
