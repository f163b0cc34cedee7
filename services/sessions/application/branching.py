"""Keeping a branch with the conflict it opens; the same branch again, or a longer one, opens no other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine

from services.sessions.adapters import branch_store, conflict_store, invitation_store, log_store, parked_store
from services.sessions.adapters.tables import outbox
from services.sessions.application.parked import make_room
from services.sessions.application.recording import LOG_LIMIT, Sender, Sent
from services.sessions.domain.batch import same
from services.sessions.domain.branch import PENDING, UNDECIDED, Branch, Conflict
from services.sessions.domain.game import Game
from services.sessions.domain.outlines import outline
from services.sessions.domain.parked import Parked
from shared.bus.outbox import Fact, append
from shared.storage.ids import new_id
from shared.web.problems import Problem

UNDECIDED_LIMIT = 50
EVER_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Story:
    """What a device recorded after the first `base_version` entries of a game, each action once."""

    game_id: UUID
    base_version: int
    sent: tuple[Sent, ...]

    @property
    def actions(self) -> list[dict[str, Any]]:
        """What was done, in order."""
        return [it.action for it in self.sent]

    def is_beginning_of(self, branch: Branch) -> bool:
        """Whether the branch has all of it, and perhaps goes on."""
        return bool(self.sent) and _starts_with(branch.actions, self.actions)

    def goes_on_from(self, branch: Branch) -> bool:
        """Whether it has all of the branch, and perhaps goes on."""
        return _starts_with(self.actions, branch.actions)


class Branching:
    """Looks up branches and keeps new ones; `reader` is in autocommit mode, `engine` has transactions."""

    def __init__(self, engine: Engine, reader: Engine) -> None:
        self._engine = engine
        self._reader = reader

    def known(self, sender: Sender, story: Story) -> Conflict | None:
        """The conflict that this story belongs to: sent before, or going on from one not decided yet."""
        with self._reader.connect() as connection:
            return _known(connection, sender, story)

    def store(
        self,
        sender: Sender,
        story: Story,
        game: Game,
        told: list[dict[str, Any]],
        refused: Sequence[Parked],
        now: datetime,
    ) -> Conflict:
        """Keep the branch, what was `told` of it, its pending conflict and what was refused, all or nothing.

        Gives the conflict that is there where another process was quicker. Raises `Problem`: not_found,
        game_in_bin, too_many_conflicts, too_many_parked.
        """
        with self._engine.begin() as connection:
            held = invitation_store.hold(connection, game.id)
            if held is None:
                raise Problem("not_found")
            if held.is_binned:
                raise Problem("game_in_bin")
            there = _known(connection, sender, story)
            if there is not None and story.is_beginning_of(there.branch):
                return there
            make_room(connection, game.id, refused)
            if there is None:
                _require_room(connection, game.id)
                conflict = _outlined(connection, _opened(sender, story, game, told, now))
                branch_store.add_branch(connection, conflict.branch)
                conflict_store.open_conflict(connection, conflict)
            else:
                conflict = _outlined(connection, _grown(there, story, told, now))
                branch_store.extend_branch(connection, conflict.branch, conflict.outline, now)
            parked_store.keep(connection, game.id, refused)
            data = {"game_id": str(game.id), "conflict_id": str(conflict.id)}
            opened = Fact("sessions.conflict.opened", str(game.id), data, sender.traceparent, occurred_at=now)
            append(connection, outbox, [opened])
        return conflict


def _known(connection: Connection, sender: Sender, story: Story) -> Conflict | None:
    if not story.sent:
        return None
    there = conflict_store.alike(connection, story.game_id, sender.by, story.base_version, story.sent[0].id)
    same_again = (it for it in there if story.is_beginning_of(it.branch))
    grown = (it for it in there if it.status in UNDECIDED and story.goes_on_from(it.branch))
    return next(same_again, None) or next(grown, None)


def _require_room(connection: Connection, game_id: UUID) -> None:
    undecided, ever = conflict_store.counts(connection, game_id)
    if undecided >= UNDECIDED_LIMIT or ever >= EVER_LIMIT:
        raise Problem("too_many_conflicts")


def _outlined(connection: Connection, conflict: Conflict) -> Conflict:
    """The conflict with what there is to show of both sides before anybody has looked at it."""
    later = log_store.log_page(connection, conflict.game_id, conflict.base_version, LOG_LIMIT)
    since = [entry for entry in later if entry.seq <= conflict.cloud_version]
    return replace(conflict, outline=outline(conflict.branch, since))


def _opened(sender: Sender, story: Story, game: Game, told: list[dict[str, Any]], now: datetime) -> Conflict:
    ats = [it.at for it in story.sent]
    branch = Branch(
        new_id(),
        game.id,
        sender.by,
        story.base_version,
        story.actions,
        ats,
        told,
        now,
        _newest(ats, now),
    )
    return Conflict(new_id(), sender.owner_id, branch, PENDING, game.head.version, None, now, now)


def _grown(conflict: Conflict, story: Story, told: list[dict[str, Any]], now: datetime) -> Conflict:
    ats = [it.at for it in story.sent]
    branch = replace(
        conflict.branch, actions=story.actions, ats=ats, outcomes=told, newest_at=_newest(ats, now)
    )
    return replace(conflict, branch=branch, status=PENDING, found=None, updated_at=now)


def _newest(ats: Sequence[datetime | None], now: datetime) -> datetime:
    """When the last action was made, as far as that is known; no device's clock is ahead of ours."""
    return min(now, max((at for at in ats if at is not None), default=now))


def _starts_with(actions: Sequence[dict[str, Any]], beginning: Sequence[dict[str, Any]]) -> bool:
    return len(beginning) <= len(actions) and all(map(same, actions, beginning))
