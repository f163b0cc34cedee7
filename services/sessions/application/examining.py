"""Having rules look at a conflict as its game is now."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine

from services.sessions.adapters import game_store, log_store, resolution_store
from services.sessions.adapters.rules import Away, Refused, Rules
from services.sessions.domain.branch import Conflict
from services.sessions.domain.game import Game
from services.sessions.domain.log import Entry
from services.sessions.domain.resolutions import IN_CLOUD, ON_DEVICE, Resolution
from shared.web.problems import Problem

LOG_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class Examined:
    """What rules found when the log was at `version`."""

    found: dict[str, Any]
    version: int

    @property
    def is_settled(self) -> bool:
        """Whether one story was proved."""
        return bool(self.found["status"] != "undecided")


def subject(connection: Connection, conflict: Conflict) -> tuple[Game, list[Resolution]] | None:
    """The game of a conflict and the entries that resolve conflicts of it; None where it is gone."""
    loaded = game_store.load(connection, conflict.game_id, conflict.owner_id)
    if loaded is None:
        return None
    return loaded.game, resolution_store.resolutions(connection, conflict.game_id)


def examine(
    reader: Engine, rules: Rules, game: Game, conflict: Conflict, version: int | None = None
) -> Examined:
    """What the log up to `version`, or up to the head of `game`, and the branch make together.

    Raises `Problem`: service_unavailable and what rules refuses by name.
    """
    version, branch = game.head.version if version is None else version, conflict.branch
    with reader.connect() as connection:
        log = log_store.log_actions(connection, game.id, version)
        since = log_store.log_page(connection, game.id, branch.base_version, LOG_LIMIT)
    newer = newer_side(conflict, [entry for entry in since if entry.seq <= version])
    try:
        found = rules.reconcile(game, log, branch.base_version, branch.standing, newer)
    except Away as error:
        raise Problem("service_unavailable") from error
    except Refused as error:
        raise Problem(error.code, **({"errors": error.errors} if error.errors else {})) from error
    return Examined(found, version)


def newer_side(conflict: Conflict, since: list[Entry]) -> str:
    """The side that was entered last, as far as the clocks are right; `since` is the log after the base."""
    own = {action["id"] for action in conflict.branch.actions}
    made = [made_at(entry) for entry in since if entry.action["id"] not in own]
    return IN_CLOUD if made and max(made) > conflict.branch.newest_at else ON_DEVICE


def made_at(entry: Entry) -> datetime:
    """When an entry was made, as far as that is known; no device's clock is believed to be ahead of ours."""
    return min(entry.at, entry.recorded_at) if entry.at else entry.recorded_at
