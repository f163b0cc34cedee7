"""Writes the cells: adds to them what has changed, or makes them anew from the ledger.

How many games reached which number is packed into one number here, and read out again by `cells.unpacked`.
"""

from collections.abc import Collection, Mapping
from uuid import UUID

from sqlalchemy import Connection, text

from services.sessions.domain.cells import ALL_ACCOUNTS, ANYONE, DIGITS, EVER, KEY, SUMMED, Key, Period, Sums
from shared.storage.engine import dumps

_PACKED = f"sum(games * CAST('1e' || {DIGITS} * remaining AS numeric))"
# In the order of their keys, as whoever holds more than one row should take them.
_ADD = text(f"""
    INSERT INTO result_cells (account_id, player_id, period, starts, players, difficulty, reduced_hand,
        games, counts, turns, back_tens, duration_s)
    SELECT account_id, player_id, period, starts, players, difficulty, reduced_hand,
        sum(games), {_PACKED}, sum(turns), sum(back_tens), sum(duration_s)
    FROM json_to_recordset(CAST(:changes AS json)) AS change (account_id uuid, player_id uuid, period text,
        starts date, players smallint, difficulty text, reduced_hand boolean, remaining smallint,
        games bigint, turns bigint, back_tens bigint, duration_s bigint)
    GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (account_id, player_id, period, starts, players, difficulty, reduced_hand) DO UPDATE SET
        games = result_cells.games + excluded.games,
        counts = result_cells.counts + excluded.counts,
        turns = result_cells.turns + excluded.turns,
        back_tens = result_cells.back_tens + excluded.back_tens,
        duration_s = result_cells.duration_s + excluded.duration_s
""")  # noqa: S608 - made of constants
_DROP_EMPTY = text("""
    DELETE FROM result_cells c
    USING json_populate_recordset(CAST(NULL AS result_cells), CAST(:cells AS json)) d
    WHERE c.games = 0
        AND (c.account_id, c.player_id, c.period, c.starts) = (d.account_id, d.player_id, d.period, d.starts)
""")
_MARK = text("""
    INSERT INTO result_marks (account_id, mark) SELECT unnest(CAST(:account_ids AS uuid[])), 1
    ON CONFLICT (account_id) DO UPDATE SET mark = result_marks.mark + 1
""")
_CLEAR = text("DELETE FROM result_cells WHERE account_id = :account_id")
_FROM_LEDGER = """
    INSERT INTO result_cells (account_id, player_id, period, starts, players, difficulty, reduced_hand,
        games, counts, turns, back_tens, duration_s)
    SELECT CAST(:account_id AS uuid), player.id, period.name, period.starts, players, difficulty,
        reduced_hand, sum(games), {packed}, sum(turns), sum(back_tens), sum(duration_s)
    FROM (SELECT 1 AS games, * FROM results WHERE {which}) r, LATERAL (
        VALUES (:all, CAST(:ever AS date)), (:month, CAST(date_trunc('month', day) AS date)), (:day, day)
    ) AS period (name, starts), LATERAL ({players}) AS player (id)
    GROUP BY player.id, period.name, period.starts, players, difficulty, reduced_hand
"""
_ALL_FROM_LEDGER = text(
    _FROM_LEDGER.format(packed=_PACKED, players="SELECT CAST(:anyone AS uuid)", which="counts_for_all")
)
_OWN_FROM_LEDGER = text(
    _FROM_LEDGER.format(
        packed=_PACKED,
        players="SELECT CAST(:anyone AS uuid) UNION ALL SELECT unnest(player_ids)",
        which="account_id = :account_id",
    )
)


def add(connection: Connection, changes: Mapping[Key, Sums]) -> None:
    """Add these sums to their cells; a cell without games is none."""
    if not changes:
        return
    rows = [dict(zip((*KEY, *SUMMED), (*key, *sums), strict=True)) for key, sums in changes.items()]
    connection.execute(_ADD, {"changes": dumps(rows)})
    fewer = [row for row in rows if row["games"] < 0]
    if fewer:
        connection.execute(_DROP_EMPTY, {"cells": dumps(fewer)})


def mark(connection: Connection, account_ids: Collection[UUID]) -> None:
    """Have what was answered of these accounts known as old, and of all together."""
    if account_ids:
        connection.execute(_MARK, {"account_ids": sorted({*account_ids, ALL_ACCOUNTS})})


def refill(connection: Connection, account_id: UUID) -> None:
    """Make the cells of an account, or those of all accounts together, anew from the ledger."""
    connection.execute(_CLEAR, {"account_id": account_id})
    statement = _ALL_FROM_LEDGER if account_id == ALL_ACCOUNTS else _OWN_FROM_LEDGER
    names = {period.name.lower(): period.value for period in Period}
    connection.execute(statement, {"account_id": account_id, "anyone": ANYONE, "ever": EVER, **names})
    mark(connection, [account_id])
