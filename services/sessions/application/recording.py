"""Judging what is new and storing what was accepted, together with what is told of it."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import log_store, parked_store, resolution_store
from services.sessions.adapters.rules import Rules
from services.sessions.application.judging import Judging
from services.sessions.application.locks import KeyedLocks
from services.sessions.application.parked import make_room
from services.sessions.domain import outcomes
from services.sessions.domain.game import Game, Head, Judgement
from services.sessions.domain.log import By, Entry
from services.sessions.domain.parked import Parked
from services.sessions.domain.resolutions import RESOLVE
from services.sessions.domain.results import changes
from shared.contracts.actions import NEEDS_LOG, TAKING_BACK
from shared.storage.engine import dumps
from shared.storage.ids import new_id
from shared.web.problems import Problem

QUEUE_S = 5.0
LOG_LIMIT = 2_000
RESOLVED_LIMIT = 2**20  # bytes of the entries of a log that tell stories anew: rules is sent all of them


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends actions to a game of `owner_id`, and the trace they belong to.

    Whoever is not its owner takes back no confirmed result, and neither takes back nor brings back what
    people decided about a conflict: that would be deciding it. What was proved of one, an adopted table or a
    rewind they may undo as any entry.
    """

    owner_id: UUID
    by: By
    traceparent: str | None = None
    is_owner: bool = True


@dataclass(frozen=True, slots=True)
class Sent:
    """One action in normal form with the client's clock (aware) if it was given."""

    action: dict[str, Any]
    at: datetime | None = None

    @property
    def id(self) -> str:
        """The id that the client made for it."""
        return str(self.action["id"])


@dataclass(frozen=True, slots=True)
class Recorded:
    """The game after a batch, and an outcome for each of its actions that was looked at."""

    game: Game
    outcomes: list[dict[str, Any]]


class Recorder:
    """Puts what is new into the log of a game, one per process; `engine` is in autocommit mode.

    `transactions` is not: there what is refused of branches is kept.
    """

    def __init__(
        self,
        engine: Engine,
        transactions: Engine,
        rules: Rules,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self._transactions = transactions
        self.rules = rules
        self._judging = Judging(engine, rules)
        self.now = now
        self.clock = clock
        self._locks = KeyedLocks()

    @contextmanager
    def hold(self, game_id: UUID) -> Iterator[None]:
        """Be the only one in this process who records there; raises `Problem` service_unavailable."""
        try:
            with self._locks.hold(game_id, QUEUE_S):
                yield
        except TimeoutError as error:
            raise Problem("service_unavailable") from error

    def record(
        self, sender: Sender, game: Game, fresh: Sequence[Sent], *, park: bool = False
    ) -> Recorded | None:
        """Judge `fresh` from the head of `game` and store what was accepted, up to the first refused one.

        With `park` it goes on after a refused one, which is kept as such. None, and nothing stored, when
        another process moved the game on meanwhile. Raises `Problem`: log_full, too_many_parked,
        service_unavailable and what rules refuses by name.
        """
        judgement = self._judging.judge(
            game, [one.action for one in fresh], is_owner=sender.is_owner, go_on=park
        )
        recorded_at = max(self.now(), game.updated_at)
        entries = _entries(sender.by, game, fresh, judgement, recorded_at)
        refused = parked(sender.by, fresh, judgement.outcomes, recorded_at) if park else []
        if entries:
            told = list(entries.values())
            self._require_room(game, told)
            made = self._made_at(game, told, judgement)
            head = judgement.head.confirmed(made[-1])
            events = _events(game, head, told, judgement, made)
            with self._connection(game, refused) as connection:
                if not log_store.advance(connection, game, head, told, events, sender.traceparent, refused):
                    return None
            game = game.as_of(head, recorded_at)
        elif not self.park(game, refused):
            return None
        return Recorded(game, _outcomes(fresh, judgement, entries))

    def _made_at(self, game: Game, entries: Sequence[Entry], judgement: Judgement) -> list[datetime]:
        """When what there is to see after each of the new entries was made: some only bring it back."""
        recorded = {entry.seq: entry.recorded_at for entry in entries}
        if any(judgement.results) and any(entry.action["type"] in NEEDS_LOG for entry in entries):
            with self.engine.connect() as connection:
                recorded |= log_store.made_at(connection, game.id, recorded.keys(), entries)
        return list(recorded.values())

    def park(self, game: Game, refused: Sequence[Parked]) -> bool:
        """Keep what was refused at the head of `game`; False, and nothing kept, when it has moved on.

        Raises `Problem`: not_found, too_many_parked.
        """
        if not refused:
            return True
        with self._connection(game, refused) as connection:
            is_kept = parked_store.park(connection, game, refused)
            connection.commit()
        return is_kept

    @contextmanager
    def _connection(self, game: Game, refused: Sequence[Parked]) -> Iterator[Connection]:
        """Where one statement stores all; what is counted beforehand stays true until it has."""
        with (self._transactions if refused else self.engine).connect() as connection:
            make_room(connection, game.id, refused)
            yield connection

    def _require_room(self, game: Game, entries: Sequence[Entry]) -> None:
        """Raise `Problem` log_full where the log cannot take all of these."""
        if game.head.version + len(entries) > LOG_LIMIT:
            raise Problem("log_full")
        stories = [entry.action for entry in entries if entry.action["type"] == RESOLVE]
        if stories:
            with self.engine.connect() as connection:
                there = resolution_store.size(connection, game.id)
            if there + len(dumps(stories)) > RESOLVED_LIMIT:
                raise Problem("log_full")


def _entries(
    by: By, game: Game, fresh: Sequence[Sent], judgement: Judgement, recorded_at: datetime
) -> dict[int, Entry]:
    """The entries of the accepted actions, by their index in `fresh`."""
    accepted = [n for n, it in enumerate(judgement.outcomes) if it["verdict"] == outcomes.ACCEPTED]
    return {
        index: Entry(
            seq,
            fresh[index].action,
            by,
            fresh[index].at,
            recorded_at,
            judgement.head.rules_version,
            judgement.outcomes[index]["instructions"],
            judgement.outcomes[index]["warnings"],
        )
        for seq, index in enumerate(accepted, game.head.version + 1)
    }


def parked(
    by: By, sent: Sequence[Sent], judged: Sequence[dict[str, Any]], parked_at: datetime
) -> list[Parked]:
    """What to keep of the refused ones among actions that were all `judged`."""
    return [
        Parked(it.action, outcome["code"], by, it.at, parked_at)
        for it, outcome in zip(sent, judged, strict=True)
        if outcome["verdict"] == outcomes.REJECTED
    ]


def _outcomes(fresh: Sequence[Sent], judgement: Judgement, entries: dict[int, Entry]) -> list[dict[str, Any]]:
    return [
        outcomes.of_entry(entries[n], outcomes.ACCEPTED)
        if n in entries
        else outcomes.of_judged(fresh[n].action["id"], judged)
        for n, judged in enumerate(judgement.outcomes)
    ]


def _events(
    game: Game, head: Head, entries: Sequence[Entry], judgement: Judgement, made: Sequence[datetime]
) -> list[dict[str, Any]]:
    """What others are told: the entries with the head they lead to, and where a result came or went."""
    data: dict[str, Any] = {
        "game_id": game.id,
        "version": head.version,
        "entries": [e.document(effective=e.action["type"] not in TAKING_BACK) for e in entries],
        "table": head.table,
        "result": head.result,
    }
    if len(entries) > 1 and judgement.seen:
        data["after"] = [seen.document(at) for seen, at in zip(judgement.seen, made, strict=True)]
    told = [("game.advanced", data)]
    for change in changes(game.head.result, judgement.results):
        changed = {"game_id": game.id, "version": game.head.version + change.number}
        told.append((f"game.{change.kind}", changed))
    for action in (entry.action for entry in entries if entry.action["type"] == RESOLVE):
        told.append(("conflict.settled", {"game_id": game.id, "conflict_id": action["conflict_id"]}))
    return [{"event_id": new_id(), "type": f"sessions.{kind}", "data": data} for kind, data in told]
