"""The options with which people say what the table shows; what all sides agree on need not be said."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from gateway.client.branches import TableShown
from gateway.client.contract import Table
from gateway.client.rendering.sentences import name_of
from gateway.client.rendering.table import PILES

UNREAD = ("?", "-", "unread")
Command = TypeVar("Command", bound=Callable[..., Any])


class Top(click.ParamType[Any]):
    """The card on a pile; `?` where it was not read."""

    name = "top"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) in UNREAD:
            return UNREAD
        return click.INT.convert(value, param, ctx)


class Counts(click.ParamType[list[int]]):
    """A count a seat, like `6,5`."""

    name = "counts"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        try:
            return [int(count) for count in str(value).split(",")]
        except ValueError:
            self.fail(f"{value} is not a count for each seat, like 6,5.", param, ctx)


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of the table; None where nothing was."""

    tops: dict[str, Any]
    deck: int | None
    hands: list[int] | None
    seat: str | None

    @property
    def is_empty(self) -> bool:
        said = (*self.tops.values(), self.deck, self.hands, self.seat)
        return all(value is None for value in said)


def table_options(command: Command) -> Command:
    """Adds `--up1 … --seat` to a command, which takes them as `**shown` for `said`."""
    for option in (
        click.option("--seat", metavar="PLAYER", help="Whose turn starts: a name, or a seat from 0."),
        click.option("--hands", type=Counts(), metavar="N,N…", help="Cards in each hand, in seat order."),
        click.option("--deck", type=int, metavar="N", help="Cards left to draw."),
        *(
            click.option(f"--{pile}", type=Top(), metavar="CARD", help=f"On top of {pile}; ? if not read.")
            for pile in reversed(PILES)
        ),
    ):
        command = option(command)
    return command


def said(shown: dict[str, Any]) -> Said:
    return Said({pile: shown[pile] for pile in PILES}, shown["deck"], shown["hands"], shown["seat"])


def completed(given: Said, names: Sequence[str], tables: Sequence[Table]) -> TableShown:
    """The whole table: what was said, else what all `tables` show alike; an error names what is missing."""
    missing: list[str] = []

    def agreed(option: str, value: Any, shown: Callable[[Table], Any], told: Callable[[Any], str]) -> Any:
        if value is not None:
            return None if value is UNREAD else value
        values = [shown(table) for table in tables]
        if values and all(it == values[0] for it in values):
            return values[0]
        missing.append(f"--{option}" + (f" ({' or '.join(map(told, values))})" if values else ""))
        return None

    seat = None if given.seat is None else seat_of(given.seat, names)
    table = TableShown(
        piles={pile: agreed(pile, given.tops[pile], _top_of(pile), card) for pile in PILES},
        deck=agreed("deck", given.deck, lambda it: it["deck"], str),
        hands=agreed("hands", given.hands, lambda it: it["hands"], lambda it: ",".join(map(str, it))),
        active_seat=agreed("seat", seat, lambda it: it["active_seat"], lambda it: name_of(names, it)),
    )
    if missing:
        raise click.UsageError(f"Look at the table and say also: {', '.join(missing)}.")
    return table


def _top_of(pile: str) -> Callable[[Table], int | None]:
    return lambda table: table["piles"][pile]["top"]


def card(top: int | None) -> str:
    return "not known" if top is None else str(top)


def seat_of(wanted: str, names: Sequence[str]) -> int:
    """The seat that a name or a number means."""
    for seat, name in enumerate(names):
        if name.casefold() == wanted.casefold():
            return seat
    if wanted.isdecimal() and int(wanted) < len(names):
        return int(wanted)
    raise click.UsageError(f"--seat: {wanted} is none of {', '.join(names)}.")
