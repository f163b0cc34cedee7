"""A game as sessions knows it: its head, who sits where, and the document clients read."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from services.sessions.domain.log import Entry
from services.sessions.domain.results import REOPENED, Result, Seen, changes, confirmed


@dataclass(frozen=True, slots=True)
class Seat:
    """One place at the table: `saved_id` as asked for, `player_id` as whom it counts after a merge."""

    seat: int
    name: str
    saved_id: UUID | None = None
    player_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """What a log amounts to at `version`. All but `state`, which only rules reads, is public.

    `summary` is what rules told of the finished game as a whole, None where it has not been asked.
    """

    version: int
    rules_version: str
    state: Any
    table: dict[str, Any]
    result: Result
    undo: dict[str, Any] | None
    redo: dict[str, Any] | None
    summary: dict[str, Any] | None = None

    def confirmed(self, made_at: datetime) -> "Head":
        """The head made by an entry of that time, which is the time of its result if there is one."""
        return replace(self, result=confirmed(self.result, made_at))


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its head and seats; times are aware, UTC."""

    id: UUID
    account_id: UUID
    request: dict[str, Any]
    ruleset: str
    options: dict[str, Any]
    head: Head
    seats: tuple[Seat, ...]
    created_at: datetime
    updated_at: datetime
    binned_at: datetime | None = None

    def document(self) -> dict[str, Any]:
        """The game as api.md gives it; `binned_at` besides, while it lies in the bin."""
        head = self.head
        hands = head.table["hands"]
        document: dict[str, Any] = {
            "id": self.id,
            "ruleset": self.ruleset,
            "rules_version": head.rules_version,
            "options": self.options,
            "players": [_place(seat, hands[seat.seat]) for seat in self.seats],
            "version": head.version,
            "table": head.table,
            "result": head.result,
            "undo": head.undo,
            "redo": head.redo,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
        }
        if self.binned_at:
            document["binned_at"] = self.binned_at
        return document

    def as_of(self, head: Head, recorded_at: datetime) -> "Game":
        """The game with another head, whose last entry was recorded at `recorded_at`."""
        return replace(self, head=head, updated_at=recorded_at)


def _place(seat: Seat, hand: int) -> dict[str, Any]:
    place: dict[str, Any] = {"seat": seat.seat, "name": seat.name, "hand": hand}
    if seat.player_id:
        place["player_id"] = seat.player_id
    return place


@dataclass(frozen=True, slots=True)
class Judgement:
    """What rules answered for a batch: an outcome per judged action, and the head they lead to."""

    outcomes: list[dict[str, Any]]
    head: Head

    @property
    def accepted(self) -> list[dict[str, Any]]:
        """The outcomes of the accepted actions, in order."""
        return [outcome for outcome in self.outcomes if outcome["verdict"] == "accepted"]

    @property
    def results(self) -> list[Result]:
        """The result after each accepted action; the head has the last one."""
        accepted = self.accepted
        last = [self.head.result] if accepted else []
        return [outcome.get("result") for outcome in accepted[:-1]] + last

    @property
    def seen(self) -> list[Seen]:
        """What there was to see after each accepted action; empty where rules was not asked for it."""
        tables = [outcome["table"] for outcome in self.accepted if "table" in outcome]
        return [Seen(*both) for both in zip(tables, self.results, strict=True)] if tables else []

    def reopening(self, before: Result) -> int | None:
        """The index of the first action that took a result back, the game's own `before` included."""
        accepted = [n for n, outcome in enumerate(self.outcomes) if outcome["verdict"] == "accepted"]
        taken_back = (change for change in changes(before, self.results) if change.kind == REOPENED)
        return next((accepted[change.number - 1] for change in taken_back), None)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game with the entries of its log that carry one of the asked action ids."""

    game: Game
    seen: dict[str, Entry]
