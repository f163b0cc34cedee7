"""Saved players: make, find, list, rename, archive, merge. Another account's players do not exist here."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy import Connection

from services.accounts.adapters import accounts, players
from services.accounts.application import events
from services.accounts.application.parts import Parts
from services.accounts.domain.pages import Filter, Place
from services.accounts.domain.players import PLAYERS_LIMIT, Player, family, may_be_one, may_merge, root
from shared.web.problems import Problem


@dataclass(frozen=True, slots=True)
class Shown:
    """A player and the one that stands for it when it is merged."""

    player: Player
    merged_into: UUID | None


def add(parts: Parts, account_id: UUID, player_id: UUID | None, name: str, colour: str | None) -> Shown:
    """A new player, or the one that the same request made before.

    Refuses with `id_taken`, and with `too_many_players` when the account has all it may have.
    """
    now = parts.clock()
    asked = {"name": name, "colour": colour}
    player = Player(player_id or parts.new_id(), name, colour, False, None, now, now)
    with parts.engine.begin() as connection:
        _hold(connection, account_id)
        if players.add(connection, account_id, player, asked):
            if players.count(connection, account_id) > PLAYERS_LIMIT:
                raise Problem("too_many_players")
            events.player_changed(connection, account_id, player.id, now)
        elif players.created_as(connection, account_id, player.id) != asked:
            raise Problem("id_taken")
        return _shown(connection, account_id, player.id)


def find(parts: Parts, account_id: UUID, player_id: UUID) -> Shown:
    """One player; refuses with `not_found`."""
    with parts.engine.connect() as connection:
        return _shown(connection, account_id, player_id)


def page(parts: Parts, account_id: UUID, only: Filter, after: Place | None, limit: int) -> list[Shown]:
    """Up to `limit` players behind `after`, in the order they were made."""
    with parts.engine.connect() as connection:
        found = players.page(connection, account_id, only, after, limit)
        parents = players.parents(connection, account_id) if any(it.parent for it in found) else {}
    return [Shown(player, root(player.id, parents) if player.parent else None) for player in found]


def change(parts: Parts, account_id: UUID, player_id: UUID, changes: dict[str, Any]) -> Shown:
    """Set `name`, `colour` and `archived`, those that `changes` has; refuses with `not_found`."""
    with parts.engine.begin() as connection:
        _hold(connection, account_id)
        player = _own(connection, account_id, player_id)
        if replace(player, **changes) != player:
            _set(connection, parts, account_id, player_id, changes)
        return _shown(connection, account_id, player_id)


def merge(parts: Parts, account_id: UUID, player_id: UUID, into_id: UUID) -> Shown:
    """Let `into_id` stand for `player_id`; a repetition changes nothing; refuses `merge_impossible`."""
    with parts.engine.begin() as connection:
        _hold(connection, account_id)
        player = _own(connection, account_id, player_id)
        if player.parent != into_id:
            into = players.find(connection, account_id, into_id)
            parents = players.parents(connection, account_id)
            if not may_merge(player, into) or not may_be_one(player_id, into_id, parents):
                raise Problem("merge_impossible")
            _set(connection, parts, account_id, player_id, {"parent": into_id})
        return _shown(connection, account_id, player_id)


def unmerge(parts: Parts, account_id: UUID, player_id: UUID) -> Shown:
    """Take back the merge of `player_id`; refuses with `not_merged`."""
    with parts.engine.begin() as connection:
        _hold(connection, account_id)
        if _own(connection, account_id, player_id).parent is None:
            raise Problem("not_merged")
        _set(connection, parts, account_id, player_id, {"parent": None})
        return _shown(connection, account_id, player_id)


def standing_for(connection: Connection, account_id: UUID, player_ids: Iterable[UUID]) -> dict[UUID, Player]:
    """For each of `player_ids` that is the account's, the player that stands for it now."""
    parents = players.parents(connection, account_id)
    roots = {player_id: root(player_id, parents) for player_id in player_ids}
    found = players.find_many(connection, account_id, roots.values())
    return {asked: found[stands] for asked, stands in roots.items() if stands in found}


def _set(
    connection: Connection, parts: Parts, account_id: UUID, player_id: UUID, values: dict[str, Any]
) -> None:
    now = parts.clock()
    players.change(connection, player_id, **values, updated_at=now)
    for member in family(player_id, players.parents(connection, account_id)):
        events.player_changed(connection, account_id, member, now)


def _hold(connection: Connection, account_id: UUID) -> None:
    if accounts.hold(connection, account_id) is None:
        raise Problem("unauthenticated")


def _own(connection: Connection, account_id: UUID, player_id: UUID) -> Player:
    player = players.find(connection, account_id, player_id)
    if player is None:
        raise Problem("not_found")
    return player


def _shown(connection: Connection, account_id: UUID, player_id: UUID) -> Shown:
    player = _own(connection, account_id, player_id)
    if player.parent is None:
        return Shown(player, None)
    return Shown(player, root(player_id, players.parents(connection, account_id)))
