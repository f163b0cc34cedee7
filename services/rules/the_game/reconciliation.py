"""Owns the door to reconciling a device's branch with a log, in JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from services.rules.malformed import Malformed
from services.rules.the_game.actions import Action, read_actions
from services.rules.the_game.discarding import discarded
from services.rules.the_game.entries import as_json, read_entries
from services.rules.the_game.findings import Difference, Merged
from services.rules.the_game.judgement import judge
from services.rules.the_game.log import replay
from services.rules.the_game.merge import Branch, settle
from services.rules.the_game.options import Options, read_options
from services.rules.the_game.questions import Question
from services.rules.the_game.results import result
from services.rules.the_game.state import State
from services.rules.the_game.story import chain, plain, story
from services.rules.the_game.table import table
from services.rules.the_game.timeline import Moment, Timeline
from services.rules.the_game.wording import texts

Json = dict[str, Any]


def reconciled(
    options: object, log: object, base_version: object, branch: object, newer: object = None
) -> Json:
    """What a log and a device's branch after its first `base_version` entries make together.

    The branch is judged to its end: a refused action changes nothing, and what does not depend on it counts.
    `status` is "contained" when the log has it all, "merged" when one story was proved, else "undecided".
    Every story is told as `base_version` and `actions`, as a `resolve` entry takes them, with its `table` and
    `result`; at the top that is the settled one, for "undecided" the part that both branches agree on.
    `texts` puts it to the players in every language; `newer` names the side that was entered last, if known.
    Raises Malformed for input of the wrong shape; every action of the branch has an id.
    """
    chosen = read_options(options)
    cloud = replay(chosen, entries := read_entries(log, "log"))
    base = _base(cloud, base_version, len(entries))
    device, outcomes, accepted = _judge(chosen, base, _read_branch(branch))
    found = settle(
        chosen,
        base.now,
        Branch(tuple(entries[len(base.versions()) - 1 :]), cloud.now),
        Branch(tuple(accepted), device.now),
    )
    tell = _Teller(chosen, base)
    asked = () if isinstance(found, Merged) else found.questions
    stories = story(cloud.now), story(device.now)
    side = newer if isinstance(newer, str) and newer in ("cloud", "device") else None
    answered: Json = {
        "cloud": tell.at(cloud.now),
        "device": {**tell.at(device.now), "outcomes": outcomes},
        "first_difference": _difference(found.first_difference),
        "texts": texts(
            side,
            found.first_difference,
            (discarded(*stories), discarded(*reversed(stories))),
            asked,
        ),
    }
    if isinstance(found, Merged):
        return {
            "status": "contained" if found.is_clouds else "merged",
            **tell.story(found.story, found.state),
            **answered,
            "proof": asdict(found.proof),
            "questions": [],
            "proposal": None,
        }
    proposal = found.proposal
    return {
        "status": "undecided",
        **tell.story(found.agreed, found.state),
        **answered,
        "proof": None,
        "questions": [_question(question) for question in found.questions],
        "proposal": tell.story(proposal.story, proposal.state) if proposal else None,
    }


def _base(cloud: Timeline, version: object, versions: int) -> Timeline:
    if type(version) is not int or not 0 <= version <= versions:
        raise Malformed({"base_version": ["Not a count of entries of the log."]})
    return cloud.at(version)


def _read_branch(value: object) -> list[Action]:
    actions = read_actions(value, "branch")
    unnamed = {str(index): {"id": ["Missing."]} for index, one in enumerate(actions) if one.id is None}
    if unnamed:
        raise Malformed({"branch": unnamed})
    return actions


def _judge(
    options: Options, base: Timeline, branch: Sequence[Action]
) -> tuple[Timeline, list[Json], list[Action]]:
    """The timeline after the branch, an outcome for each of its actions, and those that were accepted."""
    timeline, outcomes, accepted = base, [], []
    for action in branch:
        timeline, outcome = judge(options, timeline, action)
        outcomes.append({"action_id": action.id, **outcome.as_json()})
        if outcome.refusal is None:
            accepted.append(action)
    return timeline, outcomes, accepted


class _Teller:
    """Tells stories from the latest version up to `base` that has no more than they have."""

    def __init__(self, options: Options, base: Timeline) -> None:
        self._options = options
        versions = base.versions()
        self._start_id = id(versions[0].now)
        self._versions = {id(plain(at.now)): number for number, at in enumerate(versions)}
        self._base = [*chain(base.now)][::-1]

    def at(self, moment: Moment) -> Json:
        """The story of a moment."""
        return self.story(story(moment), moment.state)

    def story(self, told: Sequence[Action], state: State) -> Json:
        """A story that leads to `state`: the version, the effective actions after it, what is seen then."""
        version, length = self._start(told)
        reached = result(state)
        return {
            "base_version": version,
            "actions": [as_json(action) for action in told[length:]],
            "table": table(self._options, state),
            "result": asdict(reached) if reached else None,
        }

    def _start(self, told: Sequence[Action]) -> tuple[int, int]:
        found = (self._versions[self._start_id], 0)
        for length, (moment, action) in enumerate(self._base[: len(told)], 1):
            if action != told[length - 1]:
                break
            if (version := self._versions.get(id(moment))) is not None:
                found = (version, length)
        return found


def _question(question: Question) -> Json:
    pile = {"pile": question.pile} if question.pile else {}
    sides = {"cloud": question.cloud, "device": question.device}
    return {"id": question.id, "fact": question.fact, **pile, **sides}


def _difference(difference: Difference | None) -> Json | None:
    if difference is None:
        return None
    sides = {"cloud": difference.cloud, "device": difference.device}
    return {
        "index": difference.index,
        "turn": difference.turn,
        "seat": difference.seat,
        **{side: as_json(action) if action else None for side, action in sides.items()},
    }
