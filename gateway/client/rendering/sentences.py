"""What happened and what to do, as sentences: instructions, warnings, the result, the next step."""

from collections.abc import Iterable, Mapping, Sequence

from gateway.client.contract import Action, Entry, Game, Instruction, Result, Table
from gateway.client.rendering.authors import NOBODY, Viewpoint, author_mark
from gateway.client.rendering.corrections import correction
from gateway.client.rendering.text import cards, printable

_WARNINGS = {
    "block_contradicted": "By the cards not seen yet, enough of this hand can still be laid: look again.",
}
_ACTIONS = {
    "draw": "draw",
    "end_turn": "end of the turn",
    "block": "block declared",
    "confirm": "result confirmed",
}


def seat_names(game: Game) -> list[str]:
    """The players' names by seat."""
    seats = sorted(game["players"], key=lambda seat: seat["seat"])
    return [printable(seat["name"]) or f"Player {seat['seat'] + 1}" for seat in seats]


def name_of(names: Sequence[str], seat: int | None) -> str:
    return names[seat] if seat is not None and 0 <= seat < len(names) else f"Seat {seat}"


def instruction(item: Instruction, names: Sequence[str], table: Table, result: Result | None) -> str:
    """The physical act that an accepted action implies, told to the table."""
    who = name_of(names, item.get("seat"))
    count = item.get("count", 0)
    match item["kind"]:
        case "draw":
            return f"{who} draws {cards(count)}."
        case "return_cards":
            return f"{who} puts {cards(count)} back on the deck."
        case "take_back":
            card = item.get("card")
            what = "the top card" if card is None else str(card)
            return f"{who} takes {what} back from {item.get('pile')}."
        case "next_player":
            return f"Next: {who}."
        case "result":
            return standing_result(table, result) or "The result has changed."
    return str(item["kind"])


def instructions(items: Iterable[Instruction], game: Game) -> list[str]:
    names = seat_names(game)
    return [instruction(item, names, game["table"], game["result"]) for item in items]


def warning(code: str) -> str:
    return f"Warning: {_WARNINGS.get(code, code)}"


def standing_result(table: Table, result: Result | None) -> str | None:
    """The result, pending or confirmed; None while the game goes on."""
    if result is not None:
        return f"The game is over. {_rated(result)}"
    left = cards(table["remaining"])
    match table["status"]:
        case "blocked":
            return f"Blocked with {left} left: confirm the result, or undo."
        case "cleared":
            return "Every card is laid: confirm the result."
        case "finished":
            return f"The game is over. {left.capitalize()} left."
    return None


def _rated(result: Result) -> str:
    if result["outcome"] == "win":
        return "Won: no card left."
    left = f"{cards(result['remaining'])} left"
    return f"Excellent: {left}." if result["rating"] == "excellent" else f"Lost: {left}."


def next_step(table: Table, names: Sequence[str]) -> str | None:
    """What the table does next, with the command for it; None when the game is over."""
    who = name_of(names, table["active_seat"])
    if table["status"] == "finished":
        return None
    if table["status"] != "playing":
        return "`ninety8 confirm` confirms the result, `ninety8 undo` leads back."
    if table["phase"] == "drawn":
        return f"{who} has drawn: `ninety8 end` ends the turn."
    owed = table["minimum"] - table["played_this_turn"]
    if owed > 0:
        more = "more " if table["played_this_turn"] else ""
        return f"{who} lays at least {owed} {more}card{'s' if owed > 1 else ''}."
    more = "may lay more, or " if table["hands"][table["active_seat"]] else ""
    if table["to_draw"] > 0:
        return f"{who} {more}draws {cards(table['to_draw'])}: `ninety8 draw`."
    return f"{who} {more}ends the turn: `ninety8 end`."


def action(item: Action) -> str:
    """An action of the log in a few words."""
    kind = printable(str(item["type"]))
    if kind != "play":
        return _ACTIONS.get(kind) or correction(item) or kind
    card = item.get("card")
    what = "a card without its value" if card is None else str(card)
    return printable(f"{what} on {item.get('pile')}")


def entry(
    item: Entry,
    names: Sequence[str],
    retold: Mapping[str, int] | None = None,
    viewpoint: Viewpoint = NOBODY,
) -> str:
    """One line of the log: number, action, what people did, who entered it, and whether it still counts.

    `retold` has the ids of what a later entry, by its number, tells again: that was not undone.
    """
    acts = [_short(done, names) for done in item["instructions"] if done["kind"] != "result"]
    told = f" ({', '.join(acts)})" if acts else ""
    by = author_mark(item["by"], viewpoint)
    return f"{item['seq']:>4}  {action(item['action'])}{told}{by}{_fate(item, retold or {})}"


def _fate(item: Entry, retold: Mapping[str, int]) -> str:
    if item["effective"] or item["action"]["type"] in ("undo", "redo"):
        return ""
    again = retold.get(item["action"].get("id", ""))
    return f"  [counts by entry {again}]" if again else "  [undone]"


def _short(done: Instruction, names: Sequence[str]) -> str:
    who = name_of(names, done.get("seat"))
    match done["kind"]:
        case "draw":
            return f"{who} drew {done.get('count', 0)}"
        case "return_cards":
            return f"{who} put {done.get('count', 0)} back"
        case "take_back":
            return f"{who} took {done.get('card') or 'the top card'} back"
        case "next_player":
            return f"next {who}"
    return str(done["kind"])
