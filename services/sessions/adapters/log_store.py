"""Reads the log and adds to it, the head and the outbox with it in one statement."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Row, func, insert, or_, select, text

from services.sessions.adapters import authors
from services.sessions.adapters.due_store import NOTE
from services.sessions.adapters.game_store import head_columns
from services.sessions.adapters.parked_store import PARK, parking
from services.sessions.adapters.tables import entries
from services.sessions.domain.game import Game, Head
from services.sessions.domain.log import By, Entry, Mark, made_by
from services.sessions.domain.parked import Parked
from shared.contracts.actions import BACK_TO
from shared.storage.engine import dumps

# The whole of an accepted batch in one statement: if the head still stands at `was`, it moves on, and the
# entries and events are there with it; if not, nothing is.
_ADVANCE = """
    WITH head AS (
        UPDATE games SET version = :version, state = CAST(:state AS json),
            table_doc = CAST(:table_doc AS json), status = :status, result = CAST(:result AS json),
            undo = CAST(:undo AS json),
            redo = CAST(:redo AS json), summary = CAST(:summary AS json), updated_at = :now
        WHERE id = :id AND version = :was AND binned_at IS NULL
        RETURNING id
    ), logged AS (
        INSERT INTO entries (game_id, seq, action_id, action, account_id, guest_id, device, at, recorded_at,
            rules_version, instructions, warnings)
        SELECT head.id, e.seq, e.action_id, e.action, :account_id, :guest_id, :device, e.at, :now,
            :rules_version, e.instructions, e.warnings
        FROM head, json_to_recordset(CAST(:entries AS json))
            AS e (seq int, action_id uuid, action json, at timestamptz, instructions json, warnings json)
    ), told AS (
        INSERT INTO outbox (event_id, type, subject, data, traceparent, occurred_at)
        SELECT o.event_id, o.type, CAST(head.id AS text), o.data, :traceparent, :now
        FROM head, ROWS FROM (
            json_to_recordset(CAST(:events AS json)) AS (event_id uuid, type text, data json)
        ) WITH ORDINALITY AS o (event_id, type, data, n)
        ORDER BY o.n
    ) {more}
    SELECT count(*) FROM head
"""
_KEPT = f", kept AS ({PARK.format(source='head')})"
_DUE = f", due AS ({NOTE.format(source='head')})"
# By whether something is parked with the entries, and whether the game's figures may be others after them.
_STATEMENTS = {
    (parks, is_due): text(_ADVANCE.format(more=_KEPT * parks + _DUE * is_due))
    for parks in (False, True)
    for is_due in (False, True)
}


def advance(
    connection: Connection,
    game: Game,
    head: Head,
    batch: Sequence[Entry],
    events: Sequence[dict[str, Any]],
    traceparent: str | None,
    parked: Sequence[Parked] = (),
) -> bool:
    """Move `game` on to `head` with the entries of `batch` and their events; False when it has moved already.

    What was refused of a branch is `parked` with them. Where there is a result before or after, the game's
    figures are due. Nothing else is written, and that is committed here.
    """
    first = batch[0]
    columns = head_columns(head)
    is_due = game.head.result is not None or head.result is not None
    moved = connection.execute(
        _STATEMENTS[bool(parked), is_due],
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
            "summary": None if head.summary is None else dumps(head.summary),
            "now": first.recorded_at,
            "account_id": first.by.account_id,
            "guest_id": first.by.guest_id,
            "device": first.by.device,
            "rules_version": head.rules_version,
            "traceparent": traceparent,
            "entries": dumps([_recordset(entry) for entry in batch]),
            "events": dumps(events),
            **(parking(parked) if parked else {}),
        },
    ).scalar_one()
    connection.commit()
    return bool(moved)


def begin(connection: Connection, game_id: UUID, batch: Sequence[Entry]) -> None:
    """Store the log of a game that is created with one, in the transaction that creates it."""
    rows = [
        {
            **_recordset(entry),
            "game_id": game_id,
            "account_id": entry.by.account_id,
            "guest_id": entry.by.guest_id,
            "device": entry.by.device,
            "recorded_at": entry.recorded_at,
            "rules_version": entry.rules_version,
        }
        for entry in batch
    ]
    if rows:
        connection.execute(insert(entries), rows)


def log_page(connection: Connection, game_id: UUID, after: int, limit: int) -> list[Entry]:
    """At most `limit` entries with a seq above `after`, in order."""
    rows = connection.execute(
        select(*authors.with_device(entries))
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


def log_marks(connection: Connection, game_id: UUID) -> list[Mark]:
    """The whole log as far as it matters for which entries count, in order."""
    return marks_of(connection, [game_id]).get(game_id, [])


def marks_of(connection: Connection, game_ids: Collection[UUID]) -> dict[UUID, list[Mark]]:
    """The same of several games, by game."""
    kind = entries.c.action["type"].as_string()
    back_to = func.coalesce(*(entries.c.action[field].as_string() for field in BACK_TO.values()))
    adds = or_(
        entries.c.action["actions"].as_string() != "[]", entries.c.action["table"].as_string().is_not(None)
    )
    rows = connection.execute(
        select(entries.c.game_id, entries.c.seq, kind, back_to, func.coalesce(adds, kind != "rewind"))
        .where(entries.c.game_id.in_(game_ids))
        .order_by(entries.c.game_id, entries.c.seq)
    )
    found: dict[UUID, list[Mark]] = {}
    for game_id, seq, what, version, says_more in rows:
        mark = Mark(seq, what, int(version) if what in BACK_TO else None, says_more)
        found.setdefault(game_id, []).append(mark)
    return found


def made_at(
    connection: Connection, game_id: UUID, versions: Collection[int], fresh: Sequence[Entry] = ()
) -> dict[int, datetime]:
    """When what there is to see at each of these versions was made; the start has no such time.

    `fresh` are entries that are about to follow the log. Nothing for a game that is gone meanwhile.
    """
    marks = log_marks(connection, game_id)
    if fresh:
        if len(marks) < fresh[0].seq - 1:
            return {}
        marks = marks[: fresh[0].seq - 1] + [_mark(entry) for entry in fresh]
    made = dict(enumerate(made_by(marks)))
    times = {entry.seq: entry.recorded_at for entry in fresh}
    wanted = {made.get(version, 0) for version in versions} - times.keys()
    stored = select(entries.c.seq, entries.c.recorded_at)
    rows = connection.execute(stored.where(entries.c.game_id == game_id, entries.c.seq.in_(wanted)))
    times |= {row.seq: row.recorded_at for row in rows}
    return {version: times[made[version]] for version in versions if made.get(version) in times}


def _mark(entry: Entry) -> Mark:
    kind = entry.action["type"]
    if kind not in BACK_TO:
        return Mark(entry.seq, kind)
    adds = bool(entry.action.get("actions") or entry.action.get("table"))
    return Mark(entry.seq, kind, entry.action[BACK_TO[kind]], adds)


def _entry(row: Row[Any]) -> Entry:
    return Entry(
        row.seq,
        row.action,
        By(row.account_id, row.guest_id, row.device),
        row.at,
        row.recorded_at,
        row.rules_version,
        row.instructions,
        row.warnings,
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
