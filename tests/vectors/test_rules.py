"""The vectors through the rules themselves: in one go, and continued step by step from state or log."""

import json
from typing import Any

import pytest

from services.rules.the_game import ruleset
from services.rules.the_game.actions import read_actions
from services.rules.the_game.judgement import judge
from services.rules.the_game.log import replay
from services.rules.the_game.options import read_options
from services.rules.the_game.results import result
from services.rules.the_game.table import table
from tests.vectors.cases import Case, check_step, named, public, walks

CASES = [pytest.param(case, id=case.name) for case in (*named(), *walks())]


@pytest.mark.parametrize("case", CASES)
def test_each_step_leads_to_the_expected_table(case: Case) -> None:
    options = read_options(case.options)
    timeline = replay(options, [])
    assert public(table(options, timeline.now.state)) == case.start
    for step, action in zip(case.steps, read_actions(case.actions), strict=True):
        timeline, outcome = judge(options, timeline, action)
        check_step(step, outcome.as_json(), table(options, timeline.now.state))
        if action.type == "confirm" and outcome.refusal is None:
            reached = result(timeline.now.state)
            assert reached is not None
            extra = step["expect"]["extra"]
            assert (reached.outcome, reached.remaining) == (extra["outcome"], extra["remaining"])


@pytest.mark.parametrize("case", CASES)
def test_each_step_continues_from_the_state_or_the_log_that_was_kept(case: Case) -> None:
    state = None
    log: list[dict[str, Any]] = []
    for step in case.steps:
        action = step["action"]
        if action["type"] in ("undo", "redo"):
            answer = ruleset.answer(case.options, None, log, [action], tables=False)
        else:
            answer = ruleset.answer(case.options, state, None if state else [], [action], tables=False)
        check_step(step, answer["outcomes"][0], answer["table"])
        state = json.loads(json.dumps(answer["state"]))
        if answer["outcomes"][0]["verdict"] == "accepted":
            log.append(action)
