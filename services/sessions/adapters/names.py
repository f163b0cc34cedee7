"""Owns the moment between reading the names of an account's saved players and writing them on seats."""

from uuid import UUID

from sqlalchemy import Connection, text

_WRITE = text("SELECT pg_advisory_xact_lock_shared(hashtextextended(:key, 0))")
_CHANGE = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")


def hold(connection: Connection, account_id: UUID, *, to_change: bool) -> None:
    """Hold the account's names until the transaction ends; take this before asking accounts for them.

    A new game that reads a name while its player is renamed would keep the old one for good: the event would
    be handled before its seats are there. So who changes names waits for who writes them, and the other way
    round.
    """
    connection.execute(_CHANGE if to_change else _WRITE, {"key": f"names {account_id}"})
