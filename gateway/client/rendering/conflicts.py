"""A conflict told to the table: what each side has, and where they part."""

from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table as Grid
from rich.text import Text as Shown

from gateway.client.branches import CloudSide, Conflict, DeviceSide, Difference
from gateway.client.contract import Action, Entry
from gateway.client.rendering.authors import Viewpoint, author
from gateway.client.rendering.choices import choices, other_sides, questions
from gateway.client.rendering.corrections import retold
from gateway.client.rendering.moments import local
from gateway.client.rendering.sentences import action, entry, name_of
from gateway.client.rendering.text import printable

STATUS = {
    "pending": "being compared",
    "merged": "joined: both stories fit together",
    "needs_decision": "waits for a decision",
    "settled": "decided",
}


def conflicts_view(conflicts: Iterable[Conflict]) -> Grid:
    """One row a conflict."""
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for column in ("conflict", "game", "device", "status", "newer", "since"):
        grid.add_column(column, no_wrap=column == "conflict")
    for it in conflicts:
        device = printable(it["device"]["device"] or "")
        status = STATUS.get(it["status"], it["status"])
        cells = (it["id"], it["game_id"][-12:], device, status, it["newer"], local(it["created_at"]))
        grid.add_row(*map(Shown, cells))
    return grid


def conflict_lines(
    conflict: Conflict, names: Sequence[str], viewpoint: Viewpoint, log: Sequence[Entry] = ()
) -> list[str]:
    """Everything about one conflict; `log` is what the game has now since its base, where it is settled."""
    status = STATUS.get(conflict["status"], conflict["status"])
    lines = [f"Conflict {conflict['id']}: {status}.", f"Game {conflict['game_id']}: {', '.join(names)}.", ""]
    lines += cloud_lines(conflict, names, viewpoint, retold(log))
    lines += device_lines(conflict["device"], viewpoint, is_newer=conflict["newer"] == "device")
    lines += ["", *parting(conflict, names)]
    if conflict["status"] == "needs_decision":
        lines += ["", *questions(conflict["questions"]), *choices(conflict)]
    elif conflict["status"] != "pending":
        lines += ["", *other_sides(conflict)]
    return lines


def cloud_lines(
    conflict: Conflict, names: Sequence[str], viewpoint: Viewpoint, again: Mapping[str, int]
) -> list[str]:
    """What the shared game had since the two went apart."""
    side = conflict["cloud"]
    entries = side.get("entries", [])
    newer = _newer(conflict["newer"] == "cloud")
    head = f"In the shared game (cloud){_last(side, viewpoint)}, {_count(len(entries))}{newer}:"
    return [head, *(entry(it, names, again, viewpoint) for it in entries)]


def device_lines(side: DeviceSide, viewpoint: Viewpoint, *, is_newer: bool) -> list[str]:
    """What the device has since then; what was refused is marked."""
    entries = side.get("entries", [])
    head = f"On the offline device{_last(side, viewpoint)}, {_count(len(entries))}{_newer(is_newer)}:"
    lines = [head]
    for it in entries:
        refused = it["outcome"]["verdict"] == "rejected"
        mark = f"  [refused: {printable(str(it['outcome'].get('code')))}]" if refused else ""
        lines.append(f"   -  {action(it['action'])}{mark}")
    return lines


def parting(conflict: Conflict, names: Sequence[str]) -> list[str]:
    """Where the sides part: in the reader's language as the gateway puts it, then by name and card."""
    summary, difference = conflict["text"]["summary"], conflict["first_difference"]
    return [
        *([printable(summary)] if summary else []),
        *([_difference(difference, names)] if difference else []),
    ]


def _last(side: CloudSide | DeviceSide, viewpoint: Viewpoint) -> str:
    by = f", last by {author(side['by'], viewpoint)}" if side["by"] else ""
    return f"{by} at {local(side['at'])}" if side["at"] else by


def _count(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _newer(is_newer: bool) -> str:
    return ", the newer" if is_newer else ""


def _difference(difference: Difference, names: Sequence[str]) -> str:
    who = name_of(names, difference["seat"])
    cloud, device = (_act(difference["cloud"]), _act(difference["device"]))
    return f"They part in turn {difference['turn']} ({who}): cloud {cloud}, device {device}."


def _act(item: Action | None) -> str:
    return "has nothing more" if item is None else action(item)
