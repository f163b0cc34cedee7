"""Reads finished games as they are and as they are counted, and writes the ledger of those that count."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, delete, func, select, text, tuple_, union, update

from services.sessions.adapters.figure_tables import result_cells, results
from services.sessions.adapters.tables import games, shares
from services.sessions.domain.cells import ALL_ACCOUNTS
from services.sessions.domain.durations import duration
from services.sessions.domain.figures import FIGURES, Finished, LedgerRow, figures
from services.sessions.domain.game import Game
from shared.storage.engine import dumps

# Clocks of devices are believed as far as that: they may have been away for long, and be quite wrong.
CLOCK_BELIEVED = timedelta(days=30)

# One statement, so that head, seats and log are of one moment. The result is an object or JSON's null.
_FINISHED = text("""
    SELECT g.id, CASE WHEN p.deleted_at IS NULL THEN g.account_id END AS owner_id, g.version,
        g.result ->> 'confirmed_at' AS confirmed_at, g.summary, (
        SELECT array_agg(sh.account_id ORDER BY sh.joined_at, sh.account_id) FROM shares sh
        WHERE sh.game_id = g.id
    ) AS shared_with, (
        SELECT array_agg(DISTINCT s.player_id ORDER BY s.player_id) FROM seats s
        WHERE s.game_id = g.id AND s.player_id IS NOT NULL
    ) AS player_ids, (
        SELECT json_agg(CAST(1000000 * date_part('epoch', CASE
            WHEN e.at BETWEEN e.recorded_at - :believed AND e.recorded_at THEN e.at ELSE e.recorded_at
        END) AS bigint) ORDER BY e.seq) FROM entries e
        WHERE e.game_id = g.id AND e.seq <= g.version
            AND e.recorded_at <= CAST(g.result ->> 'confirmed_at' AS timestamptz)
    ) AS times_us
    FROM games g LEFT JOIN people p ON p.account_id = g.account_id
    WHERE g.id = ANY(:game_ids) AND json_typeof(g.result) = 'object' AND g.binned_at IS NULL
        AND (p.deleted_at IS NULL OR EXISTS (SELECT FROM shares sh WHERE sh.game_id = g.id))
""")
_KEY = ("account_id", "game_id")
# Plain text: the names that SQLAlchemy gives are of a kind of their own.
_REST = tuple(str(name) for name in results.c.keys() if name not in _KEY)  # noqa: SIM118
_OWN = tuple(name for name in _REST if name not in (*FIGURES, "day"))
_PUT = """
    INSERT INTO results
    SELECT r.* FROM json_populate_recordset(CAST(NULL AS results), CAST(:rows AS json)) r
    ON CONFLICT (account_id, game_id) DO UPDATE SET {rest}
"""


def finished(connection: Connection, game_ids: Sequence[UUID]) -> list[Finished]:
    """Those of the games that count now: finished, not in the bin, and some account has them."""
    rows = connection.execute(_FINISHED, {"game_ids": list(game_ids), "believed": CLOCK_BELIEVED})
    return [
        Finished(
            row.id,
            row.owner_id,
            row.version,
            datetime.fromisoformat(row.confirmed_at),
            duration(row.times_us or ()),
            tuple(row.player_ids or ()),
            figures(row.summary),
            tuple(row.shared_with or ()),
        )
        for row in rows
    ]


def rows_of(connection: Connection, game_ids: Sequence[UUID]) -> list[LedgerRow]:
    """What the ledger has of these games."""
    return [
        _ledger_row(row) for row in connection.execute(select(results).where(results.c.game_id.in_(game_ids)))
    ]


def replace(connection: Connection, before: Iterable[LedgerRow], after: Iterable[LedgerRow]) -> int:
    """Make these rows of the ledger those; returns how many are others now, those that went included."""
    was = {(row.account_id, row.game_id): row for row in before}
    now = {(row.account_id, row.game_id): row for row in after}
    gone = sorted(was.keys() - now.keys())
    if gone:
        connection.execute(delete(results).where(tuple_(results.c.account_id, results.c.game_id).in_(gone)))
    changed = [_values(now[key]) for key in sorted(now) if now[key] != was.get(key)]
    if changed:
        put = _PUT.format(rest=", ".join(f"{name} = excluded.{name}" for name in _REST))
        connection.execute(text(put), {"rows": dumps(changed)})
    return len(gone) + len(changed)


def games_of(connection: Connection, account_id: UUID, after: UUID, limit: int) -> list[UUID]:
    """At most `limit` games, by id, above `after`: the account's, those shared with it, and what the ledger
    counts for it.
    """
    theirs = select(games.c.id).where(games.c.account_id == account_id, games.c.id > after)
    others = [
        select(table.c.game_id)
        .where(table.c.account_id == account_id, table.c.game_id > after)
        .order_by(table.c.game_id)
        .limit(limit)
        for table in (shares, results)
    ]
    found = union(theirs.order_by(games.c.id).limit(limit), *others).subquery()
    return list(connection.execute(select(found.c.id).order_by(found.c.id).limit(limit)).scalars())


def accounts(connection: Connection) -> list[UUID]:
    """Every account that has games, or of which anything is counted."""
    found = union(
        *(
            select(table.c.account_id).where(table.c.account_id != ALL_ACCOUNTS)
            for table in (games, shares, results, result_cells)
        )
    )
    return sorted(connection.execute(found).scalars())


def untold(connection: Connection, game_ids: Sequence[UUID]) -> dict[UUID, UUID]:
    """Those of the games whose figures rules has not told yet, or not all of them, each with its owner."""
    rows = connection.execute(
        select(games.c.id, games.c.account_id, games.c.summary).where(
            games.c.id.in_(game_ids),
            func.json_typeof(games.c.result) == "object",
            games.c.binned_at.is_(None),
        )
    )
    return {row.id: row.account_id for row in rows if figures(row.summary) is None}


def tell(connection: Connection, game: Game, summary: dict[str, Any]) -> None:
    """Keep what rules told of `game`, unless it has moved on since."""
    connection.execute(
        update(games)
        .where(games.c.id == game.id, games.c.version == game.head.version)
        .values(summary=summary)
    )


def _ledger_row(row: Row[Any]) -> LedgerRow:
    told = row._mapping
    own = {name: told[name] for name in (*_KEY, *_OWN)}
    own["player_ids"] = tuple(own["player_ids"])
    return LedgerRow(**own, figures={name: told[name] for name in FIGURES})


def _values(row: LedgerRow) -> dict[str, Any]:
    own = {name: getattr(row, name) for name in (*_KEY, *_OWN)}
    return {**own, **row.figures, "player_ids": list(row.player_ids), "day": row.day}
