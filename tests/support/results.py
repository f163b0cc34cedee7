"""Finished games by the thousand, as sessions would have them: head, seats and the ends of the log.

They are counted like any others: each is noted as due, and the job finds them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Json as AsJson

from shared.storage.ids import new_id
from tests.support.api import Json

CONFIRMED_AT = datetime(2026, 5, 1, 18, 30, 0, 123_456, tzinfo=UTC)
LASTED = timedelta(minutes=25)
_GAMES = (
    "id, account_id, request, ruleset, rules_version, options, version, state, table_doc, status, result,"
    " created_at, updated_at, summary"
)
_ENTRIES = (
    "game_id, seq, action_id, action, account_id, at, recorded_at, rules_version, instructions, warnings"
)


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game of `account_id`; `seats` are its names, each with the saved player who sits there."""

    account_id: UUID
    summary: Json
    confirmed_at: datetime = CONFIRMED_AT
    lasted: timedelta = LASTED
    seats: tuple[tuple[str, UUID | None], ...] = (("Ana", None), ("Ben", None))
    id: UUID = field(default_factory=new_id)


def summary(**changes: Any) -> Json:
    """How a game went, as rules tells it: two players, four left."""
    told = {
        "players": 2,
        "difficulty": "normal",
        "reduced_hand": False,
        "first_seat": 0,
        "outcome": "loss",
        "remaining": 4,
        "rating": "excellent",
        "turns": 3,
        "plays_per_turn": [40, 50, 4],
        "back_tens": {"up1": 2, "up2": 0, "down1": 1, "down2": 3},
        "largest_jump": 31,
        "control": "full",
        "deck": 0,
        "hands": [1, 3],
        "blocked_by": 1,
        "rules_version": "1",
    }
    assert changes.keys() <= told.keys()
    return told | changes


def load(url: str, games: Iterable[Finished]) -> None:
    """Store `games`, by the owner's connection to the database of sessions."""
    rows = list(games)
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        with cursor.copy(f"COPY games ({_GAMES}) FROM STDIN") as copy:
            for game in rows:
                copy.write_row(_head(game))
        with cursor.copy("COPY seats (game_id, seat, saved_id, player_id, name) FROM STDIN") as copy:
            for game in rows:
                for seat, (name, player_id) in enumerate(game.seats):
                    copy.write_row((game.id, seat, player_id, player_id, name))
        with cursor.copy(f"COPY entries ({_ENTRIES}) FROM STDIN") as copy:
            for game in rows:
                for entry in _entries(game):
                    copy.write_row(entry)
        with cursor.copy("COPY results_due (game_id) FROM STDIN") as copy:
            for game in rows:
                copy.write_row((game.id,))


def _head(game: Finished) -> tuple[Any, ...]:
    told = game.summary
    result = {name: told[name] for name in ("outcome", "remaining", "rating")}
    options = {name: told[name] for name in ("difficulty", "reduced_hand", "first_seat")}
    return (
        game.id,
        game.account_id,
        AsJson({}),
        "the-game",
        told["rules_version"],
        AsJson(options),
        2,
        AsJson([]),
        AsJson({}),
        "finished",
        AsJson({**result, "confirmed_at": game.confirmed_at.isoformat()}),
        game.confirmed_at - game.lasted,
        game.confirmed_at,
        AsJson(told),
    )


def _entries(game: Finished) -> Iterable[tuple[Any, ...]]:
    """The first entry and the one that confirmed the result."""
    moments = (game.confirmed_at - game.lasted, game.confirmed_at)
    for seq, (kind, moment) in enumerate(zip(("block", "confirm"), moments, strict=True), start=1):
        action_id = uuid4()
        action = AsJson({"id": str(action_id), "type": kind})
        by = (game.account_id, None, moment, game.summary["rules_version"], AsJson([]), AsJson([]))
        yield (game.id, seq, action_id, action, *by)
