"""Draws links as QR codes."""

import io

import segno

MODULE_PX = 4


def svg(link: str) -> str:
    """`link` as a QR code, an SVG document."""
    written = io.BytesIO()
    symbol = segno.make(link, micro=False)
    symbol.save(written, kind="svg", scale=MODULE_PX, light="#fff", xmldecl=False, encoding="utf-8")
    return written.getvalue().decode()
