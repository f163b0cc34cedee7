"""What a conflict asks of the table, the commands that settle it, and what each of them would discard."""

from collections.abc import Sequence

from gateway.client.branches import Conflict, Question
from gateway.client.rendering.table import PILES
from gateway.client.rendering.text import printable


def questions(asked: Sequence[Question]) -> list[str]:
    """What to look at, each with what the sides say and the option that answers it."""
    lines = ["Look at the table:"] if asked else []
    for it in asked:
        what = it.get("pile") or it["fact"]
        sides = f"{what}: cloud {_value(it['cloud'])}, device {_value(it['device'])}"
        lines.append(f"  {printable(it['text'] or sides)}")
    return lines


def choices(conflict: Conflict) -> list[str]:
    """The commands that settle it, and what each would discard."""
    text, decide = conflict["text"], f"ninety8 decide {short(conflict)}"
    lines = ["Choose:"]
    if conflict["proposal"] is not None:
        lines.append(f"  {decide} merged: both stories fit together in one way; nothing is discarded.")
    lines.append(f"  {decide} cloud: {printable(text['keep_cloud'] or 'the shared game stands.')}")
    lines.append(f"  {decide} device: {printable(text['keep_device'] or 'the offline story stands.')}")
    lines.append(f"  {decide} table{_answers(conflict)}: the game goes on from what you see there.")
    return [*lines, "Until then the shared game goes on as it is. `ninety8 undo` takes a decision back."]


def other_sides(conflict: Conflict) -> list[str]:
    """How to get at what was not chosen."""
    reopen = f"ninety8 reopen {short(conflict)}"
    return [f"Nothing is gone: `{reopen} cloud` or `{reopen} device` opens a side as a game of its own."]


def short(conflict: Conflict) -> str:
    """Enough of its id to name it in a command."""
    return conflict["id"][-12:]


def _answers(conflict: Conflict) -> str:
    """The options for everything that the two tables show differently."""
    cloud, device = conflict["cloud"]["table"], conflict["device"]["table"]
    if cloud is None or device is None:
        return " …"
    asked = [f"--{it} CARD" for it in PILES if cloud["piles"][it]["top"] != device["piles"][it]["top"]]
    asked += ["--deck N"] if cloud["deck"] != device["deck"] else []
    asked += ["--hands N,N"] if cloud["hands"] != device["hands"] else []
    asked += ["--seat PLAYER"] if cloud["active_seat"] != device["active_seat"] else []
    return "".join(f" {it}" for it in asked)


def _value(value: object) -> str:
    if value is None:
        return "not known"
    return ",".join(map(str, value)) if isinstance(value, list) else printable(str(value))
