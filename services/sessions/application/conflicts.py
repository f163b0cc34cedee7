"""Reading conflicts: what both sides have, how that stands by the log, and what is asked of the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import authors, conflict_store, log_store, resolution_store
from services.sessions.adapters.conflict_store import Wanted
from services.sessions.domain import outlines, resolutions
from services.sessions.domain.branch import (
    MERGED,
    NEEDS_DECISION,
    PENDING,
    STATUSES,
    Branch,
    Conflict,
    Listed,
)
from services.sessions.domain.log import Logged, effective
from services.sessions.domain.place import Place
from services.sessions.domain.resolutions import Resolution
from shared.web.problems import Problem

ENTRIES_LIMIT = 2_000
LOOKED_AT_ONCE = 100
LOOKED_AT_MOST = 1_000  # for one page; where few of many stand as asked for, a page may be short
# The statuses stored of conflicts that may stand so by now: undo and redo are not told to them.
_STORED = {PENDING: (PENDING,), NEEDS_DECISION: tuple(it for it in STATUSES if it != PENDING)}


@dataclass(frozen=True, slots=True)
class Reading:
    """A conflict as it stands, and the entry that settles it if one does."""

    conflict: Conflict | Listed
    status: str
    settled: Resolution | None

    def document(self, language: str) -> dict[str, Any]:
        """The conflict as api.md gives it in lists: without the entries and actions of any story."""
        conflict = self.conflict
        told = dict(conflict.outline)
        texts = told.pop("texts").get(language, {})
        asked = texts.get("questions", {})
        settled = self.settled.action if self.settled and self.status == MERGED else {}
        return {
            "id": conflict.id,
            "game_id": conflict.game_id,
            "status": self.status,
            "base_version": conflict.base_version,
            "cloud_version": conflict.cloud_version,
            **told,
            "questions": [it | {"text": asked.get(it["id"])} for it in told["questions"]],
            "proof": settled.get("proof"),
            "text": {key: texts.get(key) for key in ("summary", "keep_cloud", "keep_device")},
            "created_at": conflict.created_at,
            "updated_at": conflict.updated_at,
        }


@dataclass(frozen=True, slots=True)
class WholeReading:
    """A conflict with its stories; `since` is the log after its base, up to when it was looked at."""

    reading: Reading
    conflict: Conflict
    since: list[Logged]

    @property
    def status(self) -> str:
        """How it stands."""
        return self.reading.status

    def document(self, language: str) -> dict[str, Any]:
        """The conflict as api.md gives it."""
        document = self.reading.document(language)
        entries = {
            "cloud": [logged.document() for logged in self.since],
            "device": _sent(self.conflict.branch),
        }
        sides = {side: document[side] | {"entries": entries[side]} for side in entries}
        return document | sides | {"proposal": outlines.proposed(self.conflict.found)}


def _sent(branch: Branch) -> list[dict[str, Any]]:
    both = zip(branch.actions, branch.ats, branch.outcomes, strict=True)
    return [{"action": action, "at": at, "outcome": outcome} for action, at, outcome in both]


@dataclass(frozen=True, slots=True)
class Page:
    """Conflicts of a list, and after which place the next page begins; None at the end."""

    items: list[Reading]
    after: Place | None


class Conflicts:
    """The use cases of reading; `reader` is in autocommit mode. A lapsed plan hides nothing."""

    def __init__(self, reader: Engine) -> None:
        self._reader = reader

    def get(self, owner_id: UUID, conflict_id: UUID) -> WholeReading:
        """The conflict of the account; raises `Problem` not_found."""
        with self._reader.connect() as connection:
            conflict = conflict_store.load(connection, owner_id, conflict_id)
            if conflict is None:
                raise Problem("not_found")
            found = resolution_store.resolutions(connection, conflict.game_id)
            since = _since(connection, conflict)
            gone = authors.deleted(connection, outlines.authors(conflict.outline) | {conflict.owner_id})
        told = replace(conflict, outline=outlines.forgetting(conflict.outline, conflict.owner_id, gone))
        return WholeReading(_reading(told, found), told, since)

    def listed(
        self, owner_id: UUID, status: str | None, game_id: UUID | None, after: Place | None, limit: int
    ) -> Page:
        """At most `limit` conflicts of the account, newest first, those that come after that place."""
        stored = None if status is None else _STORED.get(status, STATUSES)
        wanted = Wanted(stored, game_id, after)
        found: list[Reading] = []
        for _ in range(LOOKED_AT_MOST // LOOKED_AT_ONCE):
            readings = self._readings(owner_id, wanted)
            for reading in readings:
                if status not in (None, reading.status):
                    continue
                if len(found) == limit:
                    return Page(found, _place(found[-1]))
                found.append(reading)
            if len(readings) < LOOKED_AT_ONCE:
                return Page(found, None)
            wanted = replace(wanted, after=_place(readings[-1]))
        return Page(found, wanted.after)

    def _readings(self, owner_id: UUID, wanted: Wanted) -> Sequence[Reading]:
        """The next `LOOKED_AT_ONCE` conflicts, in as many statements however many they are."""
        with self._reader.connect() as connection:
            there = conflict_store.listed(connection, owner_id, wanted, LOOKED_AT_ONCE)
            found = resolution_store.resolutions_of(connection, {it.game_id for it in there})
            gone = authors.deleted(connection, {who for it in there for who in outlines.authors(it.outline)})
        told = (replace(it, outline=outlines.forgetting(it.outline, owner_id, gone)) for it in there)
        return [_reading(it, found.get(it.game_id, [])) for it in told]


def _place(reading: Reading) -> Place:
    return Place(reading.conflict.created_at, reading.conflict.id)


def _reading(conflict: Conflict | Listed, found: Sequence[Resolution]) -> Reading:
    return Reading(conflict, resolutions.status(conflict, found), resolutions.settling(conflict, found))


def _since(connection: Connection, conflict: Conflict) -> list[Logged]:
    base, version = conflict.base_version, conflict.cloud_version
    entries = log_store.log_page(connection, conflict.game_id, base, ENTRIES_LIMIT)
    stand = effective(log_store.log_marks(connection, conflict.game_id))
    return [Logged(entry, entry.seq in stand) for entry in entries if entry.seq <= version]
