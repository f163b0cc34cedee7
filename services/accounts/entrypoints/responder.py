"""What the other services may ask over the bus: whom the saved players of an account are."""

from typing import Any
from uuid import UUID

from sqlalchemy import Engine

from services.accounts.application import players

MALFORMED: dict[str, Any] = {"error": {"code": "validation_failed"}}


def handle(engine: Engine, body: Any) -> dict[str, Any]:
    """Answer `{op: "players", account_id, player_ids}` with those that are the account's.

    A merged one is answered as the player that stands for it, with the id asked for under `asked`. Any other
    body is answered with an error.
    """
    match body:
        case {"op": "players", "account_id": account_id, "player_ids": list(player_ids)}:
            try:
                owner, asked = UUID(account_id), [UUID(player_id) for player_id in player_ids]
            except (ValueError, TypeError, AttributeError):
                return MALFORMED
            return {"players": _players(engine, owner, asked)}
    return MALFORMED


def _players(engine: Engine, account_id: UUID, asked: list[UUID]) -> list[dict[str, Any]]:
    with engine.connect() as connection:
        found = players.standing_for(connection, account_id, asked)
    return [
        {
            "asked": str(player_id),
            "id": str(found[player_id].id),
            "name": found[player_id].name,
            "colour": found[player_id].colour,
            "archived": found[player_id].archived,
        }
        for player_id in asked
        if player_id in found
    ]
