"""Invitations: what each role is for, a list of them, and a link as a code to scan."""

import io
from collections.abc import Iterable

import segno
from rich.table import Table as Grid
from rich.text import Text

from gateway.client.rendering.moments import local
from gateway.client.rendering.text import printable
from gateway.client.sharing import Invitation

MEANING = {
    "recorder": "to enter what happens",
    "viewer": "to watch",
    "owner": "to do anything",
}


def meaning(role: str) -> str:
    """What a role is for: `to watch`."""
    return MEANING.get(role, printable(role))


def invitations_view(invitations: Iterable[Invitation]) -> Grid:
    """One row an invitation."""
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for column in ("invitation", "role", "status", "until", "guests"):
        grid.add_column(
            column, no_wrap=column == "invitation", justify="right" if column == "guests" else "left"
        )
    for it in invitations:
        cells = (it["id"], it["role"], it["status"], local(it["expires_at"]), str(it["guests"]))
        grid.add_row(*(Text(printable(cell)) for cell in cells))
    return grid


def scannable(link: str) -> list[str]:
    """`link` as a QR code in half blocks, a line each, light on dark."""
    drawn = io.StringIO()
    segno.make_qr(link, error="l").terminal(drawn, compact=True)
    return drawn.getvalue().splitlines()
