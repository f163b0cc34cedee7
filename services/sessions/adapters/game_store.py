"""Reads and writes games as wholes: head and seats, the bin."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, func, insert, text, update
from sqlalchemy.dialects.postgresql import insert as upsert

from services.sessions.adapters.tables import games, seats
from services.sessions.domain.game import Game, Head, Loaded, Seat
from services.sessions.domain.log import By, Entry
from services.sessions.domain.place import Place

# One column of JSON: the driver and SQLAlchemy describe each column of each result anew.
_GAME = """
    SELECT row_to_json(found) FROM (
        SELECT g.*, (
            SELECT json_agg(json_build_array(s.seat, s.name, s.saved_id, s.player_id) ORDER BY s.seat)
            FROM seats s WHERE s.game_id = g.id
        ) AS seats {more}
        FROM games g WHERE g.account_id = :account_id {which}
    ) found
"""
_SEEN = """
        , CASE WHEN :asked THEN (
            SELECT json_agg(json_build_array(e.seq, e.action, e.account_id, e.guest_id, e.device, e.at,
                e.recorded_at, e.rules_version, e.instructions, e.warnings))
            FROM entries e WHERE e.game_id = g.id AND e.action_id = ANY(CAST(:action_ids AS uuid[]))
        ) END AS seen
"""
# Own games and shared ones each in their own order, so that both are found by an index. To whom it is shared
# with a game is as new as that.
_LISTED = """
    SELECT row_to_json(found) FROM (
        SELECT g.*, (
            SELECT json_agg(json_build_array(s.seat, s.name, s.saved_id, s.player_id) ORDER BY s.seat)
            FROM seats s WHERE s.game_id = g.id
        ) AS seats, there.role
        FROM (
            (SELECT g.id, 'owner' AS role FROM games g WHERE g.account_id = :account_id {own})
            UNION ALL
            (SELECT g.id, sh.role FROM shares sh JOIN games g ON g.id = sh.game_id
            WHERE sh.account_id = :account_id AND g.binned_at IS NULL {shared})
        ) there JOIN games g ON g.id = there.id
        {order}
    ) found
"""
_NEWEST_FIRST = "ORDER BY {created_at} DESC, {id} DESC LIMIT :limit"
_OWN = {"created_at": "g.created_at", "id": "g.id", "updated_at": "g.updated_at"}
_SHARED = {
    "created_at": "sh.created_at",
    "id": "sh.game_id",
    "updated_at": "greatest(g.updated_at, sh.granted_at)",
}
_LOAD = text(_GAME.format(more=_SEEN, which="AND g.id = :id"))


def load(
    connection: Connection, game_id: UUID, account_id: UUID, action_ids: Sequence[str] = ()
) -> Loaded | None:
    """The account's game, with the entries that carry one of `action_ids`; None where it has no such game."""
    found = connection.execute(
        _LOAD,
        {
            "id": game_id,
            "account_id": account_id,
            "asked": bool(action_ids),
            "action_ids": list(action_ids),
        },
    ).scalar_one_or_none()
    if found is None:
        return None
    return Loaded(_game(found), {e.action["id"]: e for e in map(_entry_from_json, found["seen"] or [])})


def listed(
    connection: Connection,
    account_id: UUID,
    *,
    binned: bool,
    status: str | None,
    player_id: UUID | None,
    updated_after: datetime | None,
    after: Place | None,
    limit: int,
) -> list[tuple[Game, str]]:
    """At most `limit` games that the account has, newest first, those that come after that place.

    Each with the account's role in it. What another's bin holds nobody but its owner has.
    """
    which = ["AND (g.binned_at IS NOT NULL) = :binned"]
    if status is not None:
        which.append("AND g.status = :status")
    if player_id is not None:
        which.append("AND EXISTS (SELECT 1 FROM seats s WHERE s.game_id = g.id AND s.player_id = :player_id)")
    if updated_after is not None:
        which.append("AND {updated_at} > :updated_after")
    if after is not None:
        which.append("AND ({created_at}, {id}) < (:moment, :id)")
    which.append(_NEWEST_FIRST)
    conditions = " ".join(which)
    own, shared = conditions.format_map(_OWN), conditions.format_map(_SHARED)
    found = connection.execute(
        text(_LISTED.format(own=own, shared=shared, order=_NEWEST_FIRST.format_map(_OWN))),
        {
            "account_id": account_id,
            "binned": binned,
            "status": status,
            "player_id": player_id,
            "updated_after": updated_after,
            "moment": after and after.moment,
            "id": after and after.id,
            "limit": limit,
        },
    ).scalars()
    return [(_game(one), one["role"]) for one in found]


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
            **head_columns(game.head),
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


def set_binned(connection: Connection, game_id: UUID, binned_at: datetime | None, now: datetime) -> bool:
    """Put a game into the bin, or take it out (None); False when it is there, or out, already."""
    changed = connection.execute(
        update(games)
        .where(games.c.id == game_id, games.c.binned_at.is_(None) == (binned_at is not None))
        .values(binned_at=binned_at, updated_at=func.greatest(now, games.c.updated_at))
        .returning(games.c.id)
    ).one_or_none()
    return changed is not None


def head_columns(head: Head) -> dict[str, Any]:
    """The columns of `games` that move with every entry."""
    return {
        "version": head.version,
        "rules_version": head.rules_version,
        "state": head.state,
        "table_doc": head.table,
        "status": head.table["status"],
        "result": head.result,
        "undo": head.undo,
        "redo": head.redo,
        "summary": head.summary,
    }


def _game(found: dict[str, Any]) -> Game:
    return Game(
        UUID(found["id"]),
        UUID(found["account_id"]),
        found["request"],
        found["ruleset"],
        found["options"],
        Head(
            found["version"],
            found["rules_version"],
            found["state"],
            found["table_doc"],
            found["result"],
            found["undo"],
            found["redo"],
            found["summary"],
        ),
        tuple(
            Seat(seat, name, _uuid(saved), _uuid(player))
            for seat, name, saved, player in found["seats"] or []
        ),
        datetime.fromisoformat(found["created_at"]),
        datetime.fromisoformat(found["updated_at"]),
        _time(found["binned_at"]),
    )


def _uuid(value: str | None) -> UUID | None:
    return UUID(value) if value else None


def _time(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None


def _entry_from_json(values: list[Any]) -> Entry:
    seq, action, account_id, guest_id, device, at, recorded_at, version, instructions, warnings = values
    return Entry(
        seq,
        action,
        By(_uuid(account_id), _uuid(guest_id), device),
        _time(at),
        datetime.fromisoformat(recorded_at),
        version,
        instructions,
        warnings,
    )
