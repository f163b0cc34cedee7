"""Games as things: making one, finding them, the bin."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import due_store, game_store, log_store, names
from services.sessions.adapters.players import Players
from services.sessions.adapters.rules import Rules
from services.sessions.adapters.tables import games, outbox
from services.sessions.application.relying import answered
from services.sessions.domain.batch import same
from services.sessions.domain.game import Game, Seat
from services.sessions.domain.log import Entry, Logged, effective
from services.sessions.domain.place import Place
from services.sessions.domain.results import Seen
from shared.bus.outbox import Fact, append
from shared.storage.ids import new_id
from shared.web.problems import Problem, invalid

RECALLED_AT_ONCE = (
    256  # entries asked of rules at once: more than any page has, and little enough for the bus
)


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A seat as asked for: a saved player or a free name."""

    player_id: UUID | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to list: see `game_store.listed`."""

    binned: bool = False
    status: str | None = None
    player_id: UUID | None = None
    updated_after: datetime | None = None
    after: Place | None = None
    limit: int = 50


class Games:
    """The use cases around games as wholes; `statements` is in autocommit mode, `engine` has transactions."""

    def __init__(
        self,
        engine: Engine,
        statements: Engine,
        rules: Rules,
        players: Players,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._engine = engine
        self._reader = statements
        self._rules = rules
        self._players = players
        self._now = now

    def create(
        self,
        account_id: UUID,
        request: dict[str, Any],
        ruleset: str,
        options: dict[str, Any],
        places: Sequence[SeatRequest],
        game_id: UUID | None,
        traceparent: str | None = None,
    ) -> Game:
        """A new game; the same `game_id` and `request` again give the game that is there.

        Raises `Problem`: id_taken, player_unknown, service_unavailable and what rules refuses by name.
        """
        if game_id is not None:
            existing = self._repeated(account_id, game_id, request)
            if existing is not None:
                return existing
        with answered():
            complete, head = self._rules.start(ruleset, {**options, "players": len(places)})
        now = self._now()
        with self._engine.begin() as connection:
            seats = self._seats(connection, account_id, places)
            game = Game(
                game_id or new_id(), account_id, request, ruleset, complete, head, tuple(seats), now, now
            )
            stored = game_store.create(connection, game)
            if stored:
                data = {"game_id": game.id, "account_id": account_id, "table": head.table}
                _tell(connection, "created", game.id, data, now, traceparent)
        if stored:
            return game
        existing = self._repeated(account_id, game.id, request)
        if existing is None:
            raise Problem("id_taken")
        return existing

    def _repeated(self, account_id: UUID, game_id: UUID, request: dict[str, Any]) -> Game | None:
        with self._reader.connect() as connection:
            loaded = game_store.load(connection, game_id, account_id)
        if loaded is None:
            return None
        if not same(loaded.game.request, request):
            raise Problem("id_taken")
        return loaded.game

    def _seats(self, connection: Connection, account_id: UUID, places: Sequence[SeatRequest]) -> list[Seat]:
        asked = [place.player_id for place in places if place.player_id]
        if asked:
            names.hold(connection, account_id, to_change=False)
        with answered():
            known = self._players.named(account_id, asked)
        unknown = {str(n): ["Not one of your saved players."] for n, place in enumerate(places)
                   if place.player_id and place.player_id not in known}  # fmt: skip
        if unknown:
            raise Problem("player_unknown", errors={"json": {"players": unknown}})
        seats = []
        for number, place in enumerate(places):
            if place.player_id:
                player = known[place.player_id]
                seats.append(Seat(number, player.name, player.saved_id, player.player_id))
            else:
                seats.append(Seat(number, place.name or ""))
        persons = [seat.player_id for seat in seats if seat.player_id]
        if len(set(persons)) < len(persons):
            invalid("players", "A saved player can take one seat only.")
        return seats

    def get(self, account_id: UUID, game_id: UUID) -> Game:
        """The account's game; raises `Problem` not_found."""
        with self._reader.connect() as connection:
            loaded = game_store.load(connection, game_id, account_id)
        if loaded is None:
            raise Problem("not_found")
        return loaded.game

    def at(self, account_id: UUID, game_id: UUID, version: int) -> Game:
        """The game with its head as it was at `version`; raises `Problem` not_found, validation_failed."""
        game = self.get(account_id, game_id)
        if version == game.head.version:
            return game
        if version > game.head.version:
            invalid("at", f"The game is at version {game.head.version}.")
        with self._reader.connect() as connection:
            log = log_store.log_actions(connection, game_id, version)
            last = log_store.log_page(connection, game_id, version - 1, 1)
        with answered():
            head = self._rules.fold(game, log)
        recorded_at = last[0].recorded_at if version else game.created_at
        if head.result is None:
            return game.as_of(head, recorded_at)
        with self._reader.connect() as connection:
            made = log_store.made_at(connection, game_id, [version])
        return game.as_of(head.confirmed(made.get(version, recorded_at)), recorded_at)

    def listed(self, account_id: UUID, wanted: Wanted) -> list[tuple[Game, str]]:
        """At most `wanted.limit + 1` games, each with the account's role in it.

        So the caller sees whether there are more.
        """
        with self._reader.connect() as connection:
            return game_store.listed(
                connection,
                account_id,
                binned=wanted.binned,
                status=wanted.status,
                player_id=wanted.player_id,
                updated_after=wanted.updated_after,
                after=wanted.after,
                limit=wanted.limit + 1,
            )

    def log(
        self, account_id: UUID, game_id: UUID, after: int, limit: int, *, tables: bool = False
    ) -> list[Logged]:
        """At most `limit` entries with a seq above `after`, with `tables` what there was to see after each.

        Raises `Problem`: not_found; with `tables` service_unavailable and what rules refuses by name.
        """
        game = self.get(account_id, game_id)
        with self._reader.connect() as connection:
            entries = log_store.log_page(connection, game_id, after, limit)
            standing = effective(log_store.log_marks(connection, game_id))
        seen = self._seen(game, entries) if tables else [None] * len(entries)
        finished = [entry.seq for entry, it in zip(entries, seen, strict=True) if it and it.result]
        made: dict[int, datetime] = {}
        if finished:
            with self._reader.connect() as connection:
                made = log_store.made_at(connection, game_id, finished)
        return [
            Logged(entry, entry.seq in standing, it, made.get(entry.seq))
            for entry, it in zip(entries, seen, strict=True)
        ]

    def _seen(self, game: Game, entries: Sequence[Entry]) -> list[Seen]:
        """What there was to see after each of `entries`, which follow each other; rules is asked by pages."""
        if not entries:
            return []
        with self._reader.connect() as connection:
            log = log_store.log_actions(connection, game.id, entries[-1].seq)
        seen: list[Seen] = []
        with answered():
            for since in range(entries[0].seq - 1, len(log), RECALLED_AT_ONCE):
                seen += self._rules.recall(game, log[: since + RECALLED_AT_ONCE], since)
        return seen

    def bin(self, account_id: UUID, game_id: UUID, traceparent: str | None = None) -> Game:
        """Put the game into the bin; there already is fine."""
        return self._set_binned(account_id, game_id, self._now(), "binned", traceparent)

    def restore(self, account_id: UUID, game_id: UUID, traceparent: str | None = None) -> Game:
        """Take the game out of the bin; out already is fine."""
        return self._set_binned(account_id, game_id, None, "restored", traceparent)

    def _set_binned(
        self, account_id: UUID, game_id: UUID, binned_at: datetime | None, event: str, traceparent: str | None
    ) -> Game:
        self.get(account_id, game_id)
        now = self._now()
        with self._engine.begin() as connection:
            if game_store.set_binned(connection, game_id, binned_at, now):
                due_store.note(connection, games.c.id == game_id)
                _tell(connection, event, game_id, {"game_id": game_id}, now, traceparent)
        return self.get(account_id, game_id)


def _tell(
    connection: Connection,
    event: str,
    game_id: UUID,
    data: dict[str, Any],
    now: datetime,
    traceparent: str | None,
) -> None:
    fact = Fact(f"sessions.game.{event}", str(game_id), data, traceparent, occurred_at=now)
    append(connection, outbox, [fact])
