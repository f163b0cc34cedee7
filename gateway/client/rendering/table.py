"""The table as a terminal shows it: piles with what may be laid, turn, hands as counts, what to do."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from gateway.client.contract import Game, Instruction, Pile, Table
from gateway.client.rendering.sentences import instructions, name_of, next_step, seat_names, standing_result
from gateway.client.rendering.text import runs

PILES = ("up1", "up2", "down1", "down2")
ARROWS = {"up": "↑", "down": "↓"}


def game_view(game: Game, last: Sequence[Instruction] = ()) -> RenderableType:
    """The whole game; `last` are the instructions of its last entry."""
    names = seat_names(game)
    parts: list[RenderableType] = [Text(heading(game), style="bold"), table_view(game["table"], names)]
    told = instructions([item for item in last if item["kind"] != "result"], game)
    if told:
        parts.append(Text("Last instruction: " + " ".join(told)))
    ending = standing_result(game["table"], game["result"])
    if ending:
        parts.append(Text(ending, style="bold"))
    step = next_step(game["table"], names)
    if step:
        parts.append(Text(step))
    return Group(*parts)


def heading(game: Game) -> str:
    """Who plays, with which options, and how far the game is."""
    options = game["options"]
    told = [", ".join(seat_names(game))]
    if options.get("difficulty") == "expert":
        told.append("expert")
    if options.get("reduced_hand"):
        told.append("reduced hand")
    told.append(f"version {game['version']}")
    if game.get("binned_at"):
        told.append("in the bin")
    return " · ".join(told)


def table_view(table: Table, names: Sequence[str]) -> RenderableType:
    """Piles and counts."""
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column("pile")
    grid.add_column("top", justify="right")
    grid.add_column("may be laid")
    for name in PILES:
        pile = table["piles"][name]
        grid.add_row(f"{name} {ARROWS[pile['direction']]}", top(pile), _fitting(pile))
    return Group(grid, *[Text(line) for line in counts(table, names)])


def top(pile: Pile) -> str:
    """The card that counts, `?` when its value is not known."""
    return "?" if pile["top"] is None else str(pile["top"])


def _fitting(pile: Pile) -> Text:
    fitting = Text(runs(pile["playable"]))
    if pile["uncertain"]:
        if pile["playable"]:
            fitting.append("; ")
        fitting.append(f"only confirmed: {runs(pile['uncertain'])}", style="yellow")
    return fitting if fitting.plain else Text("-", style="dim")


def counts(table: Table, names: Sequence[str]) -> list[str]:
    """Whose turn it is and everything that is counted, a line each."""
    turn = f"Turn {table['turn']}: {name_of(names, table['active_seat'])}"
    if table["status"] == "playing":
        laid = f"laid {table['played_this_turn']}, minimum {table['minimum']}"
        turn += f" · {laid} · to draw {table['to_draw']}"
    hands = " · ".join(f"{name_of(names, seat)} {count}" for seat, count in enumerate(table["hands"]))
    lines = [turn, f"Hands: {hands}", f"Deck {table['deck']} · not laid yet {table['remaining']}"]
    if table["control"] == "partial":
        lines.append("A card was laid without its value, so not everything can be checked.")
    return lines


def standing(table: Table) -> str:
    """The four tops in one line."""
    return "  ".join(
        f"{name} {ARROWS[table['piles'][name]['direction']]}{top(table['piles'][name])}" for name in PILES
    )
