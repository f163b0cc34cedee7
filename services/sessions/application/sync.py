"""Bringing in what a device recorded on its own: into the log where it fits, else as a branch in conflict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from services.sessions.adapters import game_store, log_store, parked_store
from services.sessions.application.branching import Branching, Story
from services.sessions.application.play import PATIENCE_S, Play
from services.sessions.application.recording import Recorder, Sender, Sent, parked
from services.sessions.application.relying import answered
from services.sessions.domain import outcomes
from services.sessions.domain.batch import plan, same
from services.sessions.domain.game import Game
from services.sessions.domain.log import Entry
from services.sessions.domain.parked import Parked
from shared.web.problems import Problem

CONTAINED = "contained"
Outcome = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Synced:
    """The game and an outcome for every action sent; `conflict_id` where not all of it could be taken in."""

    game: Game
    outcomes: list[Outcome]
    conflict_id: UUID | None = None

    @property
    def parked(self) -> int:
        """How many of the actions were refused, now or before."""
        return sum(outcome["verdict"] == outcomes.REJECTED for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class _Known:
    """The game, and what of a story is there already, by action id: in its log, or refused before."""

    game: Game
    logged: Mapping[str, Entry]
    refused: Mapping[str, Parked]

    def fresh(self, story: Story) -> list[Sent]:
        """What is new of it."""
        return [it for it in story.sent if it.id not in self.logged and it.id not in self.refused]

    def is_direct(self, story: Story) -> bool:
        """Whether what is new simply goes on from the log: no entry was missed, nothing is to come between.

        Entries of the device itself are not missed ones.
        """
        own = sum(entry.seq > story.base_version for entry in self.logged.values())
        is_new = [it.id not in self.logged for it in story.sent if it.id not in self.refused]
        return story.base_version + own == self.game.head.version and is_new == sorted(is_new)


class Sync:
    """The use case behind `POST /v1/games/{id}/sync`."""

    def __init__(self, recorder: Recorder, play: Play, branching: Branching) -> None:
        self._recorder = recorder
        self._reader = recorder.engine
        self._play = play
        self._branching = branching

    def bring(self, sender: Sender, game_id: UUID, base_version: int, sent: Sequence[Sent]) -> Synced:
        """Bring in `sent`, recorded by the sender's device after the first `base_version` entries.

        All of it is looked at; what is refused is parked and holds up nothing else. The same again is
        answered alike. Raises `Problem`: not_found, game_in_bin, action_id_reused, version_conflict,
        log_full, too_many_conflicts, too_many_parked, service_unavailable and what rules refuses by name;
        then nothing of it was taken in.
        """
        story = Story(game_id, base_version, _once(sent))
        with self._recorder.hold(game_id):
            deadline = self._recorder.clock() + PATIENCE_S
            first: int | None = None
            while True:
                known = self._known(sender, story)
                first = known.game.head.version if first is None else first
                synced = self._attempt(sender, story, known)
                if synced is not None:
                    return Synced(synced.game, _spread(sent, synced.outcomes), synced.conflict_id)
                if self._recorder.clock() > deadline:
                    raise self._play.conflict(game_id, first, [])

    def _known(self, sender: Sender, story: Story) -> _Known:
        ids = [it.id for it in story.sent]
        with self._reader.connect() as connection:
            loaded = game_store.load(connection, story.game_id, sender.owner_id, ids)
            kept = parked_store.kept(connection, story.game_id, ids)
        if loaded is None:
            raise Problem("not_found")
        if loaded.game.binned_at is not None:
            raise Problem("game_in_bin")
        # A refused action's id is free again: what has been recorded under it since is what counts.
        refused = {action_id: it for action_id, it in kept.items() if action_id not in loaded.seen}
        for index, it in enumerate(story.sent):
            known = loaded.seen.get(it.id) or refused.get(it.id)
            if known is not None and not same(known.action, it.action):
                raise Problem("action_id_reused", index=index, action_id=it.id)
        return _Known(loaded.game, loaded.seen, refused)

    def _attempt(self, sender: Sender, story: Story, known: _Known) -> Synced | None:
        """One try; None, and nothing stored, when another process moved the game on meanwhile."""
        if story.base_version > known.game.head.version:
            raise self._play.conflict(story.game_id, story.base_version, [])
        conflict = self._branching.known(sender, story)
        if conflict is not None and story.is_beginning_of(conflict.branch):
            return Synced(known.game, conflict.branch.outcomes[: len(story.sent)], conflict.id)
        if conflict is None and not known.fresh(story):
            return Synced(known.game, _told(story, known, {}))
        if conflict is None and known.is_direct(story):
            return self._go_on(sender, story, known)
        return self._reconcile(sender, story, known, is_open=conflict is not None)

    def _go_on(self, sender: Sender, story: Story, known: _Known) -> Synced | None:
        recorded = self._recorder.record(sender, known.game, known.fresh(story), park=True)
        if recorded is None:
            return None
        judged = {outcome["action_id"]: outcome for outcome in recorded.outcomes}
        return Synced(recorded.game, _told(story, known, judged))

    def _reconcile(self, sender: Sender, story: Story, known: _Known, *, is_open: bool) -> Synced | None:
        """Have rules compare the log with the branch; what it lacks becomes a branch in conflict."""
        game = known.game
        standing = [it for it in story.sent if it.id not in known.refused]
        found = self._compare(game, story.base_version, [it.action for it in standing])
        is_contained = found["status"] == CONTAINED and not is_open
        accepted = outcomes.DUPLICATE if is_contained else outcomes.ACCEPTED
        judged = {
            it.id: outcomes.of_judged(it.id, outcome, accepted)
            for it, outcome in zip(standing, found["device"]["outcomes"], strict=True)
        }
        now = max(self._recorder.now(), game.updated_at)
        fresh = known.fresh(story)
        refused = parked(sender.by, fresh, [judged[it.id] for it in fresh], now)
        told = _told(story, known, judged)
        if not is_contained:
            conflict = self._branching.store(sender, story, game, told, refused, now)
            return Synced(game, conflict.branch.outcomes[: len(story.sent)], conflict.id)
        return Synced(game, told) if self._recorder.park(game, refused) else None

    def _compare(self, game: Game, base_version: int, actions: list[dict[str, Any]]) -> dict[str, Any]:
        with self._reader.connect() as connection:
            log = log_store.log_actions(connection, game.id, game.head.version)
        with answered():
            return self._recorder.rules.reconcile(game, log, base_version, actions)


def _once(sent: Sequence[Sent]) -> tuple[Sent, ...]:
    """What was sent, without repeats; raises `Problem` action_id_reused."""
    found = plan([it.action for it in sent], {})
    if found.reused is not None:
        raise Problem("action_id_reused", index=found.reused, action_id=sent[found.reused].id)
    return tuple(sent[index] for index in found.fresh)


def _spread(sent: Sequence[Sent], told: Sequence[Outcome]) -> list[Outcome]:
    """The outcome of each action sent, repeats too."""
    by_id = {outcome["action_id"]: outcome for outcome in told}
    found = []
    for it in sent:
        outcome = by_id[it.id]
        found.append(outcome)
        if outcome["verdict"] == outcomes.ACCEPTED:
            by_id[it.id] = {**outcome, "verdict": outcomes.DUPLICATE}
    return found


def _told(story: Story, known: _Known, judged: Mapping[str, Outcome]) -> list[Outcome]:
    """An outcome for each action: as it was answered before, else as it was `judged`."""
    found = []
    for it in story.sent:
        if it.id in known.logged:
            found.append(outcomes.of_entry(known.logged[it.id], outcomes.DUPLICATE))
        elif it.id in known.refused:
            found.append(outcomes.of_refusal(it.id, known.refused[it.id].code))
        else:
            found.append(judged[it.id])
    return found
