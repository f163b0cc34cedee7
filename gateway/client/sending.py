"""Sending what a machine recorded offline: one branch with Plus, else actions where nothing was missed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway.client.contract import Action, Game, Outcome
from gateway.client.journal import Journal
from gateway.client.ninety_eight import NinetyEight
from gateway.client.offline import Recorded, answered
from gateway.client.problems import ApiProblem

AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of the actions sent; `game` is after them, unless they opened a conflict.

    `is_parked` says whether the gateway keeps those it refused.
    """

    actions: Sequence[Action]
    outcomes: Sequence[Outcome]
    version: int
    game: Game | None = None
    conflict_id: str | None = None
    is_parked: bool = True


@dataclass
class _Progress:
    """What was answered so far, over several requests."""

    version: int
    actions: list[Action] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    game: Game | None = None


def deliver(client: NinetyEight, journal: Journal, recorded: Recorded, device: str) -> Delivered:
    """Send all that was `recorded`; the journal has to be held, and keeps it until it was answered.

    Interrupted anywhere, the same again leads to the same. Raises any `ClientError`.
    """
    if recorded.device is None:
        # The branch is known by its device too: under another name it would come as another one.
        journal.note({"device": device})
    name, base = recorded.device or device, recorded.base["version"]
    try:
        answer = client.games.sync(journal.game_id, name, base, recorded.actions)
    except ApiProblem as problem:
        if problem.code != "plus_required":
            raise
        return _one_by_one(client, journal, recorded)
    conflict = answer.get("conflict")
    if conflict is not None:
        journal.note({"conflict": {"id": conflict["id"], "count": len(recorded.actions)}})
        return Delivered(recorded.actions, answer["outcomes"], answer["version"], None, conflict["id"])
    journal.put_aside("sent")
    return Delivered(recorded.actions, answer["outcomes"], answer["version"], answer.get("game"))


def _one_by_one(client: NinetyEight, journal: Journal, recorded: Recorded) -> Delivered:
    """Send as ordinary actions: a refused one is left out, the others go on from what stands then."""
    done = _Progress(recorded.version)
    rest = list(recorded.unsent)
    while rest:
        outcomes = _some(client, journal, rest[:AT_ONCE], done)
        # What was answered is never asked again: a later table may judge it otherwise.
        journal.note(answered(done.version, outcomes))
        rest = rest[len(outcomes) :]
    journal.put_aside("sent")
    return Delivered(done.actions, done.outcomes, done.version, done.game, is_parked=False)


def _some(
    client: NinetyEight, journal: Journal, batch: Sequence[Action], done: _Progress
) -> Sequence[Outcome]:
    try:
        answer = client.games.act(journal.game_id, batch, expected_version=done.version)
        outcomes, done.version, done.game = answer["outcomes"], answer["version"], answer["game"]
    except ApiProblem as problem:
        if problem.index is None or problem.version is None or not problem.outcomes:
            raise
        outcomes, done.version, done.game = problem.outcomes, problem.version, problem.game
    done.actions += batch[: len(outcomes)]
    done.outcomes += outcomes
    return outcomes
