"""Reads and writes games and their logs; one statement per step on the way of a play."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert

from services.sessions.adapters.tables import entries, games, seats
from services.sessions.domain.game import Game, Head, Loaded, Seat
from services.sessions.domain.log import Entry
from shared.storage.engine import dumps

_SEATS = (
    "(SELECT json_agg(json_build_array(s.seat, s.name, s.saved_id, s.player_id) ORDER BY s.seat)"
    " FROM seats s WHERE s.game_id = g.id) AS seats"
)
_LOAD = text(
    f"SELECT g.*, {_SEATS}, CASE WHEN :asked THEN ("  # noqa: S608 (a constant of this module)
    " SELECT json_agg(json_build_array(e.seq, e.action, e.account_id, e.device, e.at, e.recorded_at,"
    " e.rules_version, e.instructions, e.warnings)) FROM entries e"
    " WHERE e.game_id = g.id AND e.action_id = ANY(CAST(:action_ids AS uuid[]))) END AS seen"
    " FROM games g WHERE g.id = :id AND g.account_id = :account_id"
)
_LIST = (
    f"SELECT g.*, {_SEATS} FROM games g WHERE g.account_id = :account_id"  # noqa: S608 (constants)
    " AND (g.binned_at IS NOT NULL) = :binned"
)
# The whole of an accepted batch in one statement: if the head still stands at `was`, it moves on, and the
# entries and events are there with it; if not, nothing is.
_ADVANCE = text(
    """
    WITH head AS (
        UPDATE games SET version = :version, state = CAST(:state AS json),
            table_doc = CAST(:table_doc AS json), status = :status, result = CAST(:result AS json),
            undo = CAST(:undo AS json),
            redo = CAST(:redo AS json), updated_at = :now
        WHERE id = :id AND version = :was AND binned_at IS NULL
        RETURNING id
    ), logged AS (
        INSERT INTO entries (game_id, seq, action_id, action, account_id, device, at, recorded_at,
            rules_version, instructions, warnings)
        SELECT head.id, e.seq, e.action_id, e.action, :account_id, :device, e.at, :now, :rules_version,
            e.instructions, e.warnings
        FROM head, json_to_recordset(CAST(:entries AS json))
            AS e (seq int, action_id uuid, action json, at timestamptz, instructions json, warnings json)
    ), told AS (
        INSERT INTO outbox (event_id, type, subject, data, traceparent, occurred_at)
        SELECT o.event_id, o.type, CAST(head.id AS text), o.data, :traceparent, :now
        FROM head, ROWS FROM (
            json_to_recordset(CAST(:events AS json)) AS (event_id uuid, type text, data json)
        ) WITH ORDINALITY AS o (event_id, type, data, n)
        ORDER BY o.n
    )
    SELECT count(*) FROM head
    """
)


def load(
    connection: Connection, game_id: UUID, account_id: UUID, action_ids: Sequence[str] = ()
) -> Loaded | None:
    """The account's game, with the entries that carry one of `action_ids`; None where it has no such game."""
    row = connection.execute(
        _LOAD,
        {
            "id": game_id,
            "account_id": account_id,
            "asked": bool(action_ids),
            "action_ids": list(action_ids),
        },
    ).one_or_none()
    if row is None:
        return None
    return Loaded(_game(row), {e.action["id"]: e for e in map(_entry_from_json, row.seen or [])})


def listed(
    connection: Connection,
    account_id: UUID,
    *,
    binned: bool,
    status: str | None,
    player_id: UUID | None,
    updated_after: datetime | None,
    before: UUID | None,
    limit: int,
) -> list[Game]:
    """At most `limit` games of the account, newest first, older than the game `before`."""
    query = _LIST
    if status is not None:
        query += " AND g.status = :status"
    if player_id is not None:
        query += " AND EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.player_id = :player_id)"
    if updated_after is not None:
        query += " AND g.updated_at > :updated_after"
    if before is not None:
        query += " AND g.id < :before"
    rows = connection.execute(
        text(query + " ORDER BY g.id DESC LIMIT :limit"),
        {
            "account_id": account_id,
            "binned": binned,
            "status": status,
            "player_id": player_id,
            "updated_after": updated_after,
            "before": before,
            "limit": limit,
        },
    )
    return [_game(row) for row in rows]


def create(connection: Connection, game: Game) -> bool:
    """Store a new game with its seats; False, and nothing stored, when its id is taken."""
    stored = connection.execute(
        upsert(games)
        .values(
            id=game.id,
            account_id=game.account_id,
            request=game.request,
            ruleset=game.ruleset,
            options=game.options,
            created_at=game.created_at,
            updated_at=game.updated_at,
            **_head_columns(game.head),
        )
        .on_conflict_do_nothing()
        .returning(games.c.id)
    ).one_or_none()
    if stored is None:
        return False
    connection.execute(
        insert(seats),
        [
            {
                "game_id": game.id,
                "seat": seat.seat,
                "saved_id": seat.saved_id,
                "player_id": seat.player_id,
                "name": seat.name,
            }
            for seat in game.seats
        ],
    )
    return True


def advance(
    connection: Connection,
    game: Game,
    head: Head,
    batch: Sequence[Entry],
    events: Sequence[dict[str, Any]],
    traceparent: str | None,
) -> bool:
    """Move `game` on to `head` with the entries of `batch` and their events; False when it has moved already.

    `connection` is in autocommit mode: the statement is the transaction.
    """
    first = batch[0]
    columns = _head_columns(head)
    moved = connection.execute(
        _ADVANCE,
        {
            "id": game.id,
            "was": game.head.version,
            "version": head.version,
            "state": dumps(head.state),
            "table_doc": dumps(head.table),
            "status": columns["status"],
            "result": dumps(head.result),
            "undo": dumps(head.undo),
            "redo": dumps(head.redo),
            "now": first.recorded_at,
            "account_id": first.account_id,
            "device": first.device,
            "rules_version": head.rules_version,
            "traceparent": traceparent,
            "entries": dumps([_recordset(entry) for entry in batch]),
            "events": dumps(events),
        },
    ).scalar_one()
    return bool(moved)


def log_page(connection: Connection, game_id: UUID, after: int, limit: int) -> list[Entry]:
    """At most `limit` entries with a seq above `after`, in order."""
    rows = connection.execute(
        select(entries)
        .where(entries.c.game_id == game_id, entries.c.seq > after)
        .order_by(entries.c.seq)
        .limit(limit)
    )
    return [_entry(row) for row in rows]


def log_actions(connection: Connection, game_id: UUID, up_to: int) -> list[dict[str, Any]]:
    """The actions of the log from its start to the entry with seq `up_to`, in order."""
    return list(
        connection.execute(
            select(entries.c.action)
            .where(entries.c.game_id == game_id, entries.c.seq <= up_to)
            .order_by(entries.c.seq)
        ).scalars()
    )


def log_types(connection: Connection, game_id: UUID) -> list[tuple[int, str]]:
    """(seq, action type) of the whole log, in order."""
    kind = entries.c.action["type"].as_string()
    rows = connection.execute(
        select(entries.c.seq, kind).where(entries.c.game_id == game_id).order_by(entries.c.seq)
    )
    return [(seq, kind) for seq, kind in rows]


def set_binned(connection: Connection, game_id: UUID, binned_at: datetime | None, now: datetime) -> bool:
    """Put a game into the bin, or take it out (None); False when it is there, or out, already."""
    changed = connection.execute(
        update(games)
        .where(games.c.id == game_id, games.c.binned_at.is_(None) == (binned_at is not None))
        .values(binned_at=binned_at, updated_at=func.greatest(now, games.c.updated_at))
        .returning(games.c.id)
    ).one_or_none()
    return changed is not None


def _head_columns(head: Head) -> dict[str, Any]:
    return {
        "version": head.version,
        "rules_version": head.rules_version,
        "state": head.state,
        "table_doc": head.table,
        "status": head.table["status"],
        "result": head.result,
        "undo": head.undo,
        "redo": head.redo,
    }


def _game(row: Row[Any]) -> Game:
    return Game(
        row.id,
        row.account_id,
        row.request,
        row.ruleset,
        row.options,
        Head(row.version, row.rules_version, row.state, row.table_doc, row.result, row.undo, row.redo),
        tuple(
            Seat(seat, name, UUID(saved) if saved else None, UUID(player) if player else None)
            for seat, name, saved, player in row.seats or []
        ),
        row.created_at,
        row.updated_at,
        row.binned_at,
    )


def _entry(row: Row[Any]) -> Entry:
    return Entry(
        row.seq,
        row.action,
        row.account_id,
        row.device,
        row.at,
        row.recorded_at,
        row.rules_version,
        row.instructions,
        row.warnings,
    )


def _entry_from_json(values: list[Any]) -> Entry:
    seq, action, account_id, device, at, recorded_at, version, instructions, warnings = values
    return Entry(
        seq,
        action,
        UUID(account_id),
        device,
        datetime.fromisoformat(at) if at else None,
        datetime.fromisoformat(recorded_at),
        version,
        instructions,
        warnings,
    )


def _recordset(entry: Entry) -> dict[str, Any]:
    return {
        "seq": entry.seq,
        "action_id": entry.action["id"],
        "action": entry.action,
        "at": entry.at,
        "instructions": entry.instructions,
        "warnings": entry.warnings,
    }
