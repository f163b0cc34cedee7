"""Having rules look at a conflict as its game is now."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import game_store, log_store, resolution_store
from services.sessions.adapters.rules import Rules
from services.sessions.application.relying import answered
from services.sessions.domain.branch import Conflict, Examined
from services.sessions.domain.game import Game
from services.sessions.domain.outlines import newer_side, outline
from services.sessions.domain.resolutions import Resolution, overrules

LOG_LIMIT = 2_000


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
        later = log_store.log_page(connection, game.id, branch.base_version, LOG_LIMIT)
    since = [entry for entry in later if entry.seq <= version]
    newer = newer_side(branch, since)
    with answered():
        found = rules.reconcile(game, log, branch.base_version, branch.standing, newer)
    return Examined(found, outline(branch, since, found), version)


def overruling(connection: Connection, game_id: UUID, version: int, kinds: Sequence[str]) -> int | None:
    """The index of the first action that takes back, or brings back, what people decided about a conflict.

    `kinds` are the types of actions that were accepted after the log at `version`, in order.
    """
    found = resolution_store.resolutions(connection, game_id)
    decisions = {it.seq for it in found if it.is_by_people}
    if not decisions:
        return None
    return overrules(log_store.log_marks(connection, game_id)[:version], decisions, kinds)
