"""What holds for any sequence of actions whatsoever."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.the_game import ruleset
from services.rules.the_game.actions import read_actions
from services.rules.the_game.cards import COUNT
from services.rules.the_game.compact import decode, encode
from services.rules.the_game.judgement import judge
from services.rules.the_game.log import replay
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES
from services.rules.the_game.state import start
from services.rules.the_game.table import table
from tests.unit.rules.builders import ODD_JSON, UNDO, Json, as_json, judged, lay, walks

Walk = tuple[Options, list[Json]]


def _kept(actions: list[Json], outcomes: list[Any]) -> list[Json]:
    return [action for action, outcome in zip(actions, outcomes, strict=True) if outcome.refusal is None]


@given(walks())
def test_played_cards_and_deck_and_hands_are_always_98(walk: Walk) -> None:
    options, actions = walk
    timeline = replay(options, [])
    for action in read_actions(actions):
        timeline, _ = judge(options, timeline, action)
        played, moment = 0, timeline.now
        while moment.before is not None and moment.action is not None:
            played += moment.action.type == "play"
            moment = moment.before
        seen = table(options, timeline.now.state)
        assert played + seen["deck"] + sum(seen["hands"]) == COUNT
        assert seen["remaining"] == COUNT - played


@given(walks())
def test_undoing_everything_returns_to_the_start(walk: Walk) -> None:
    options, actions = walk
    timeline, _ = judged(options, actions)
    while timeline.undoable:
        timeline, outcome = judge(options, timeline, read_actions([UNDO])[0])
        assert outcome.refusal is None
    assert timeline.now.state == start(options)


@given(walks())
def test_redoing_everything_returns_to_where_undo_began(walk: Walk) -> None:
    options, actions = walk
    timeline, _ = judged(options, actions)
    end = timeline.now.state
    steps = 0
    while timeline.undoable:
        timeline, _ = judge(options, timeline, read_actions([UNDO])[0])
        steps += 1
    for _ in range(steps):
        timeline, _ = judge(options, timeline, read_actions([{"type": "redo"}])[0])
    assert timeline.now.state == end


@given(walks(timeline_too=False))
def test_a_batch_equals_the_same_actions_one_by_one(walk: Walk) -> None:
    options, actions = walk
    sent = as_json(options)
    batch = ruleset.answer(sent, None, None, actions, tables=True)
    state = ruleset.answer(sent, None, None, [], tables=False)["state"]
    outcomes = []
    for action in actions:
        answer = ruleset.answer(sent, json.loads(json.dumps(state)), None, [action], tables=True)
        outcomes += answer["outcomes"]
        state = answer["state"]
        if outcomes[-1]["verdict"] == "rejected":
            break
    assert outcomes == _unsummed(batch["outcomes"])
    assert state == batch["state"]
    assert ruleset.answer(sent, state, None, [], tables=False)["table"] == batch["table"]


@given(walks())
def test_reading_the_log_leads_to_where_judging_led(walk: Walk) -> None:
    options, actions = walk
    timeline, outcomes = judged(options, actions)
    log = _kept(actions, outcomes)
    assert replay(options, read_actions(log)) == timeline
    answer = ruleset.answer(as_json(options), None, log, [], tables=False)
    assert answer["state"] == encode(timeline.now.state)
    assert answer["table"] == table(options, timeline.now.state)


@settings(max_examples=50)
@given(walks(most=20))
def test_each_outcome_says_what_evaluating_up_to_it_would(walk: Walk) -> None:
    options, actions = walk
    sent = as_json(options)
    log = _kept(actions, judged(options, actions)[1])
    outcomes = ruleset.answer(sent, None, None, log, tables=True)["outcomes"]
    recalled = ruleset.recall(sent, log, 0)["after"]
    assert len(outcomes) == len(recalled) == len(log)
    for number, (outcome, seen) in enumerate(zip(outcomes, recalled, strict=True), 1):
        whole = ruleset.evaluate(sent, log[:number], tables=False)
        assert outcome["table"] == seen["table"] == whole["table"]
        assert outcome.get("result") == seen["result"] == whole["result"]


@given(walks(), st.integers(0, 150))
def test_a_part_is_recalled_as_in_the_whole(walk: Walk, since: int) -> None:
    options, actions = walk
    log = _kept(actions, judged(options, actions)[1])
    since = min(since, len(log))
    whole = ruleset.recall(as_json(options), log, 0)["after"]
    assert ruleset.recall(as_json(options), log, since)["after"] == whole[since:]


@given(walks())
def test_evaluate_tells_what_it_told_before(walk: Walk) -> None:
    options, actions = walk
    outcomes = ruleset.evaluate(as_json(options), actions, tables=True)["outcomes"]
    assert {name for outcome in outcomes for name in outcome} <= {
        "action_id", "verdict", "code", "instructions", "warnings", "table",
    }  # fmt: skip


@given(walks(), st.integers(0, 150))
def test_the_log_path_answers_as_the_state_path(walk: Walk, split: int) -> None:
    options, actions = walk
    sent = as_json(options)
    first, rest = actions[:split], [a for a in actions[split:] if a["type"] not in ("undo", "redo")]
    log = _kept(first, judged(options, first)[1])
    by_log = ruleset.answer(sent, None, log, rest, tables=True)
    state = ruleset.answer(sent, None, log, [], tables=False)["state"]
    by_state = ruleset.answer(sent, state, None, rest, tables=True)
    assert _unsummed(by_log["outcomes"]) == by_state["outcomes"]
    for field in ("state", "table", "result"):
        assert by_log[field] == by_state[field]
    accepted = [action for action in rest[: len(by_log["outcomes"])] if _is_accepted(by_log, rest, action)]
    if accepted:
        assert (
            by_log["undo"] == by_state["undo"] == {"target": accepted[-1]["id"], "type": accepted[-1]["type"]}
        )
        assert by_log["redo"] is by_state["redo"] is None
    else:
        assert "undo" not in by_state


def _unsummed(outcomes: list[Json]) -> list[Json]:
    """Outcomes as they are told from a state, which has no log to be summed up."""
    return [{name: value for name, value in outcome.items() if name != "summary"} for outcome in outcomes]


def _is_accepted(answer: Json, actions: list[Json], action: Json) -> bool:
    return bool(answer["outcomes"][actions.index(action)]["verdict"] == "accepted")


@settings(max_examples=50)
@given(walks())
def test_playable_and_uncertain_are_what_play_then_answers(walk: Walk) -> None:
    options, actions = walk
    timeline, _ = judged(options, actions)
    piles = table(options, timeline.now.state)["piles"]
    for pile in NAMES:
        for card in range(101):
            _, outcome = judge(options, timeline, read_actions([lay(pile, card)])[0])
            _, confirmed = judge(options, timeline, read_actions([lay(pile, card, confirmed=True)])[0])
            assert (outcome.refusal is None) == (card in piles[pile]["playable"])
            assert (outcome.refusal == "confirmation_required") == (card in piles[pile]["uncertain"])
            assert (confirmed.refusal is None) == (
                card in piles[pile]["playable"] or card in piles[pile]["uncertain"]
            )


@given(walks())
def test_a_refused_action_changes_nothing(walk: Walk) -> None:
    options, actions = walk
    timeline = replay(options, [])
    for action in read_actions(actions):
        following, outcome = judge(options, timeline, action)
        if outcome.refusal is not None:
            assert following == timeline
            assert outcome.instructions == []
            assert outcome.warnings == []
        timeline = following


@given(walks())
def test_a_state_survives_its_compact_form(walk: Walk) -> None:
    options, actions = walk
    state = judged(options, actions)[0].now.state
    text = json.dumps(encode(state))
    assert decode(options, json.loads(text)) == state
    assert len(text) < 250


@given(walks(most=10), ODD_JSON, ODD_JSON)
def test_any_json_as_pile_or_card_is_judged(walk: Walk, pile: Any, card: Any) -> None:
    options, actions = walk
    odd = [{"type": "play", "pile": pile, "card": card}, {"type": "play", "pile": "up1", "card": card}]
    _, outcomes = judged(options, [*actions, *odd])
    assert all(outcome.refusal is None or isinstance(outcome.refusal, str) for outcome in outcomes)


@given(walks())
def test_no_field_names_the_cards_of_a_hand(walk: Walk) -> None:
    options, actions = walk
    answer = ruleset.evaluate(as_json(options), actions, tables=True)
    tables = [answer["start"], answer["table"], *(outcome["table"] for outcome in answer["outcomes"])]
    for seen in tables:
        assert all(type(count) is int and count <= options.starting_hand for count in seen["hands"])
        assert len(seen["hands"]) == options.players
        assert _card_lists(seen) <= {"hands", "played", "playable", "uncertain"}


def _card_lists(value: Any, name: str = "") -> set[str]:
    """The names of all fields that hold a list."""
    if isinstance(value, dict):
        return set().union(*(_card_lists(inner, key) for key, inner in value.items()))
    return {name} if isinstance(value, list) else set()
