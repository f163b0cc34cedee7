"""Moments and spans of time, as people at a table say them."""

from datetime import datetime


def local(moment: str) -> str:
    """An RFC 3339 moment by the clock of this machine, to the minute: `2026-01-03 11:00`."""
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
