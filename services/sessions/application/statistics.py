"""Statistics over finished games: an account's own, or those of all accounts together."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import stats_store
from services.sessions.domain.cells import ALL_ACCOUNTS
from services.sessions.domain.questions import MONTH, PLAYER, Group, Question
from services.sessions.domain.statistics import document
from shared.web.encoding import dumps
from shared.web.problems import Problem

GROUPS_LIMIT = 10_000
KEPT_BYTES = 16 * 1024 * 1024
BESIDE_BYTES = 1024  # what an answer takes besides, so that empty ones are bounded too


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was answered when the account's figures had that mark."""

    mark: int
    encoded: bytes

    @property
    def size(self) -> int:
        """How many bytes it takes to keep it, roughly."""
        return len(self.encoded) + BESIDE_BYTES


class Statistics:
    """The use case; `reader` is in autocommit mode.

    Answers are kept, up to `kept_bytes` of them, and given again while the figures they are about are the
    same: every device that shows statistics asks alike, and a game ends seldom.
    """

    def __init__(self, reader: Engine, *, kept_bytes: int = KEPT_BYTES) -> None:
        self._reader = reader
        self._kept_bytes = kept_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[UUID, Question], _Answer] = OrderedDict()

    def of_account(self, account_id: UUID, question: Question) -> bytes:
        """The answer as JSON, its items sorted by what was grouped by; without groupings there is always one.

        Raises `Problem` validation_failed for more than `GROUPS_LIMIT` groups.
        """
        with self._reader.connect() as connection:
            # Before the figures are read: they are as new as the mark, or newer.
            mark = stats_store.mark(connection, account_id)
            kept = self._kept.get((account_id, question))
            if kept is not None and kept.mark == mark:
                return kept.encoded
            encoded = dumps({"items": _items(connection, account_id, question)})
        self._keep(account_id, question, _Answer(mark, encoded))
        return encoded

    def of_all(self, question: Question) -> bytes:
        """The same over all accounts, of whose players nothing is told."""
        return self.of_account(ALL_ACCOUNTS, question)

    def _keep(self, account_id: UUID, question: Question, answer: _Answer) -> None:
        """Keep an answer; those kept longest go for it."""
        with self._lock:
            before = self._kept.pop((account_id, question), None)
            self._kept[account_id, question] = answer
            self._bytes += answer.size - (before.size if before else 0)
            while self._bytes > self._kept_bytes:
                self._bytes -= self._kept.popitem(last=False)[1].size


def _items(connection: Connection, account_id: UUID, question: Question) -> list[dict[str, Any]]:
    groups = stats_store.groups(connection, account_id, question, GROUPS_LIMIT + 1)
    if len(groups) > GROUPS_LIMIT:
        refusal = f"More than {GROUPS_LIMIT} groups. Ask for fewer groupings, or of fewer games."
        raise Problem("validation_failed", errors={"query": {"by": [refusal]}})
    players = {group.keys[PLAYER] for group in groups} if PLAYER in question.by else ()
    names = stats_store.names(connection, players) if players else {}
    if not question.by and not groups:
        groups = [Group({}, [], {})]
    items = [(_keys(group, names), document(group)) for group in groups]
    items.sort(key=lambda item: [(value is None, value) for value in item[0].values()])
    return [keys | figures for keys, figures in items]


def _keys(group: Group, names: dict[str, str | None]) -> dict[str, Any]:
    """What the games of a group have in common, in the order of the groupings."""
    told: dict[str, Any] = {}
    for name, value in group.keys.items():
        if name == PLAYER:
            told |= {"name": names.get(value), "player_id": value}
        elif name == MONTH:
            told[name] = value[: len("YYYY-MM")]
        else:
            told[name] = value
    return told
