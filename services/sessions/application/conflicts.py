"""Reading conflicts: what both sides have, how that stands by the log, and what is asked of the table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import branch_store, log_store, resolution_store
from services.sessions.application.examining import made_at, newer_side
from services.sessions.domain import resolutions
from services.sessions.domain.branch import NEEDS_DECISION, PENDING, STATUSES, Branch, Conflict
from services.sessions.domain.log import Entry, Logged, effective
from shared.web.problems import Problem

ENTRIES_LIMIT = 2_000
LOOKED_AT_ONCE = 200
# The statuses stored of conflicts that may stand so by now: undo and redo are not told to them.
_STORED = {PENDING: (PENDING,), NEEDS_DECISION: tuple(it for it in STATUSES if it != PENDING)}


@dataclass(frozen=True, slots=True)
class Reading:
    """A conflict as it stands; `since` is the log after its base, up to when it was looked at."""

    conflict: Conflict
    status: str
    since: list[Logged]

    def document(self, language: str, *, with_entries: bool = True) -> dict[str, Any]:
        """The conflict as api.md gives it, its texts in one language; lists leave the entries out."""
        conflict, found = self.conflict, self.conflict.found or {}
        texts = (found.get("texts") or {}).get(language) or {}
        told = texts.get("questions", {})
        sides = {"cloud": self._cloud(), "device": _device(conflict.branch)}
        for name, side in sides.items():
            side["table"] = found.get(name, {}).get("table")
            if not with_entries:
                del side["entries"]
        return {
            "id": conflict.id,
            "game_id": conflict.game_id,
            "status": self.status,
            "base_version": conflict.branch.base_version,
            "cloud_version": conflict.cloud_version,
            **sides,
            "newer": newer_side(conflict, [logged.entry for logged in self.since]),
            "first_difference": found.get("first_difference"),
            "proposal": _proposal(found),
            "questions": [it | {"text": told.get(it["id"])} for it in found.get("questions", [])],
            "text": {key: texts.get(key) for key in ("summary", "keep_cloud", "keep_device")},
            "created_at": conflict.created_at,
            "updated_at": conflict.updated_at,
        }

    def _cloud(self) -> dict[str, Any]:
        last: Entry | None = self.since[-1].entry if self.since else None
        return {
            "device": last.by.device if last else None,
            "by": last.by.document() if last else None,
            "at": made_at(last) if last else None,
            "entries": [logged.document() for logged in self.since],
        }


def _device(branch: Branch) -> dict[str, Any]:
    both = zip(branch.actions, branch.ats, branch.outcomes, strict=True)
    return {
        "device": branch.by.device,
        "by": branch.by.document(),
        "at": branch.newest_at,
        "entries": [{"action": action, "at": at, "outcome": outcome} for action, at, outcome in both],
    }


def _proposal(found: dict[str, Any]) -> dict[str, Any] | None:
    """What is proposed: also what was proved, where people took that back or somebody may not write it."""
    if not found:
        return None
    story = found["proposal"] if found["status"] == "undecided" else found
    return story and {key: story[key] for key in ("base_version", "actions", "table", "result")}


class Conflicts:
    """The use cases of reading; `reader` is in autocommit mode. A lapsed plan hides nothing."""

    def __init__(self, reader: Engine) -> None:
        self._reader = reader

    def get(self, owner_id: UUID, conflict_id: UUID) -> Reading:
        """The conflict of the account; raises `Problem` not_found."""
        with self._reader.connect() as connection:
            conflict = branch_store.load_conflict(connection, owner_id, conflict_id)
            if conflict is None:
                raise Problem("not_found")
            found = resolution_store.resolutions(connection, conflict.game_id)
            since = _since(connection, conflict)
        return Reading(conflict, resolutions.status(conflict, found), since)

    def listed(
        self, owner_id: UUID, status: str | None, game_id: UUID | None, before: UUID | None, limit: int
    ) -> list[Reading]:
        """At most `limit` conflicts of the account, newest first, those that come after the one `before`."""
        found: list[Reading] = []
        with self._reader.connect() as connection:
            for reading in self._readings(connection, owner_id, status, game_id, before):
                if len(found) == limit:
                    break
                found.append(reading)
        return found

    def _readings(
        self,
        connection: Connection,
        owner_id: UUID,
        status: str | None,
        game_id: UUID | None,
        before: UUID | None,
    ) -> Iterator[Reading]:
        known: dict[UUID, list[resolutions.Resolution]] = {}
        stored = None if status is None else _STORED.get(status, STATUSES)
        while True:
            conflicts = branch_store.listed_conflicts(
                connection,
                owner_id,
                statuses=stored,
                game_id=game_id,
                before=before,
                limit=LOOKED_AT_ONCE,
            )
            for conflict in conflicts:
                game = conflict.game_id
                if game not in known:
                    known[game] = resolution_store.resolutions(connection, game)
                stands = resolutions.status(conflict, known[game])
                if status in (None, stands):
                    yield Reading(conflict, stands, _since(connection, conflict))
            if len(conflicts) < LOOKED_AT_ONCE:
                return
            before = conflicts[-1].id


def _since(connection: Connection, conflict: Conflict) -> list[Logged]:
    base, version = conflict.branch.base_version, conflict.cloud_version
    entries = log_store.log_page(connection, conflict.game_id, base, ENTRIES_LIMIT)
    stand = effective(log_store.log_marks(connection, conflict.game_id))
    return [Logged(entry, entry.seq in stand) for entry in entries if entry.seq <= version]
