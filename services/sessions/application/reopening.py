"""Opening one side of a conflict as a game of its own: nothing that was recorded is ever out of reach."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import branch_store, conflict_store, due_store, game_store, log_store, names
from services.sessions.adapters.rules import Rules
from services.sessions.adapters.tables import games, outbox
from services.sessions.application.examining import LOG_LIMIT, examine
from services.sessions.application.relying import answered
from services.sessions.domain.batch import same
from services.sessions.domain.branch import Conflict
from services.sessions.domain.game import Game, Judgement
from services.sessions.domain.log import By, Entry
from services.sessions.domain.resolutions import IN_CLOUD, ON_DEVICE
from services.sessions.domain.results import FINISHED
from shared.bus.outbox import Fact, append
from shared.storage.ids import new_id
from shared.web.problems import Problem

SIDES = (IN_CLOUD, ON_DEVICE)


@dataclass(frozen=True, slots=True)
class _Origin:
    """Who made an action, and when by their clock."""

    by: By
    at: datetime | None


class Reopening:
    """The use case; `reader` is in autocommit mode, `engine` has transactions."""

    def __init__(
        self,
        engine: Engine,
        reader: Engine,
        rules: Rules,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._reader = reader
        self._rules = rules
        self._now = now

    def reopen(
        self,
        owner_id: UUID,
        conflict_id: UUID,
        side: str,
        game_id: UUID | None,
        traceparent: str | None = None,
    ) -> Game:
        """A new game with what counts of one side as its log; the same `game_id` again gives that game.

        Raises `Problem`: not_found, id_taken, log_full, service_unavailable and what rules refuses by name.
        """
        with self._reader.connect() as connection:
            conflict = conflict_store.load(connection, owner_id, conflict_id)
        if conflict is None:
            raise Problem("not_found")
        request = {"conflict_id": str(conflict_id), "side": side}
        if game_id is not None and (there := self._repeated(owner_id, game_id, request)):
            return there
        source = self._game(owner_id, conflict.game_id)
        with answered():
            story = self._story(source, conflict, side)
            start = self._rules.fold(source, [])
            begun = replace(source, id=game_id or new_id(), request=request, head=start, binned_at=None)
            judgement = self._rules.judge(begun, story, list, go_on=True) if story else Judgement([], start)
        if len(story) > LOG_LIMIT:
            raise Problem("log_full")
        refused = [outcome["code"] for outcome in judgement.outcomes if "code" in outcome]
        if refused:
            raise Problem(refused[0])
        now = self._now()
        head = judgement.head.confirmed(now)
        game = replace(begun, head=head, created_at=now, updated_at=now)
        if self._store(game, self._entries(conflict, story, judgement, now), traceparent):
            return self._game(owner_id, game.id)
        there = self._repeated(owner_id, game.id, request)
        if there is None:
            raise Problem("id_taken")
        return there

    def _game(self, owner_id: UUID, game_id: UUID) -> Game:
        with self._reader.connect() as connection:
            loaded = game_store.load(connection, game_id, owner_id)
        if loaded is None:
            raise Problem("not_found")
        return loaded.game

    def _repeated(self, owner_id: UUID, game_id: UUID, request: dict[str, Any]) -> Game | None:
        with self._reader.connect() as connection:
            loaded = game_store.load(connection, game_id, owner_id)
        if loaded is None:
            return None
        if not same(loaded.game.request, request):
            raise Problem("id_taken")
        return loaded.game

    def _story(self, game: Game, conflict: Conflict, side: str) -> list[dict[str, Any]]:
        """What counts of one side, from the start; raises `Away`, `Refused`."""
        with self._reader.connect() as connection:
            log = log_store.log_actions(connection, game.id, conflict.cloud_version)
        if side == IN_CLOUD:
            return self._told(game, log)
        found = conflict.found or examine(self._reader, self._rules, game, conflict).found
        own = found["device"]
        return self._told(game, log[: own["base_version"]]) + list(own["actions"])

    def _told(self, game: Game, log: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What counts of a log, as rules tells it from its start to whoever has nothing of it."""
        return list(self._rules.reconcile(game, log, 0, [])["cloud"]["actions"])

    def _entries(
        self, conflict: Conflict, story: Sequence[dict[str, Any]], judgement: Judgement, now: datetime
    ) -> list[Entry]:
        with self._reader.connect() as connection:
            log = log_store.log_page(connection, conflict.game_id, 0, conflict.cloud_version)
            sent = branch_store.senders(connection, conflict.game_id, [action["id"] for action in story])
        origins = {action_id: _Origin(*it) for action_id, it in sent.items()}
        origins |= {entry.action["id"]: _Origin(entry.by, entry.at) for entry in log}
        return [
            Entry(
                seq,
                action,
                origins[action["id"]].by,
                origins[action["id"]].at,
                now,
                judgement.head.rules_version,
                outcome["instructions"],
                outcome["warnings"],
            )
            for seq, (action, outcome) in enumerate(zip(story, judgement.accepted, strict=True), 1)
        ]

    def _store(self, game: Game, entries: Sequence[Entry], traceparent: str | None) -> bool:
        """Store the game with its log and what is told of it; False when its id is taken."""
        with self._engine.begin() as connection:
            names.hold(connection, game.account_id, to_change=False)
            seats = _seats(connection, game)
            if not game_store.create(connection, replace(game, seats=seats)):
                return False
            log_store.begin(connection, game.id, entries)
            due_store.note(connection, games.c.id == game.id)
            append(connection, outbox, _facts(game, traceparent))
        return True


def _seats(connection: Connection, game: Game) -> Any:
    """Who sits there, by the names of today."""
    source = conflict_store.game_of(connection, UUID(game.request["conflict_id"]))
    loaded = source and game_store.load(connection, source, game.account_id)
    if not loaded:
        raise Problem("not_found")
    return loaded.game.seats


def _facts(game: Game, traceparent: str | None) -> list[Fact]:
    table, now = game.head.table, game.created_at
    data = {"game_id": game.id, "account_id": game.account_id, "table": table}
    facts = [Fact("sessions.game.created", str(game.id), data, traceparent, occurred_at=now)]
    if game.head.result is not None:
        done = {"game_id": game.id, "version": game.head.version}
        facts.append(Fact(f"sessions.game.{FINISHED}", str(game.id), done, traceparent, occurred_at=now))
    return facts
