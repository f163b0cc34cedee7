"""A summary equals another count, made from the tables, for any game whatsoever and for every vector."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.rules.the_game import ruleset
from services.rules.the_game.entries import as_json as entry
from services.rules.the_game.log import effective
from services.rules.the_game.options import Options
from services.rules.the_game.simulation.strategies import STRATEGIES
from tests.unit.rules.builders import OPTIONS, Json, as_json, simulated, walks
from tests.unit.rules.evenings import Evening, forks
from tests.unit.rules.recounting import accepted, ending, recounts
from tests.vectors.cases import Case, named
from tests.vectors.cases import walks as vector_walks

Walk = tuple[Options, list[Json]]


def summaries(options: Json, actions: list[Json]) -> list[Json | None]:
    """The summary after each action, as rules tell it from the log so far."""
    log: list[Json] = []
    found = []
    for action in actions:
        answer = ruleset.answer(options, None, log, [action], tables=False)
        if answer["outcomes"][0]["verdict"] == "accepted":
            log.append(action)
            assert answer["outcomes"][0].get("summary") == answer["summary"]
        found.append(answer["summary"])
    return found


def finished(options: Json, actions: list[Json]) -> list[Json]:
    """The same actions, refused ones too, and then what ends the game."""
    return [*actions, *ending(options, accepted(options, actions))]


def summed(options: Json, log: list[Json]) -> Json:
    """The summary of the game that this log comes to."""
    found: Json = ruleset.answer(options, None, log, ending(options, log), tables=False)["summary"]
    assert found is not None
    return found


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in (*named(), *vector_walks())])
def test_every_vector_is_summed_up_as_its_tables_say(case: Case) -> None:
    actions = finished(case.options, case.actions)
    *_, expected = recounts(case.options, actions)
    assert ruleset.evaluate(case.options, actions, tables=False)["summary"] == expected


@settings(max_examples=30)
@given(walks(most=30))
def test_the_summary_after_each_action_is_the_one_of_the_tables(walk: Walk) -> None:
    options, actions = as_json(walk[0]), finished(as_json(walk[0]), walk[1])
    assert summaries(options, actions) == list(recounts(options, actions))


@given(OPTIONS, st.integers(0, 2**32), st.sampled_from(list(STRATEGIES)))
def test_a_simulated_game_is_summed_up_as_its_tables_say(options: Options, seed: int, strategy: str) -> None:
    sent, actions = as_json(options), simulated(options, seed, strategy)
    found = ruleset.evaluate(sent, actions, tables=False)["summary"]
    *_, expected = recounts(sent, actions)
    assert found == expected


@given(walks())
def test_figures_of_a_summary_agree_with_each_other(walk: Walk) -> None:
    options, actions = as_json(walk[0]), finished(as_json(walk[0]), walk[1])
    answer = ruleset.evaluate(options, actions, tables=False)
    found, table, plays = answer["summary"], answer["table"], answer["summary"]["plays_per_turn"]
    assert sum(plays) == 98 - found["remaining"] == 98 - found["deck"] - sum(found["hands"])
    assert len(plays) == found["turns"] == table["turn"]
    assert found["remaining"] == answer["result"]["remaining"] == table["remaining"]
    assert all(count > 0 for count in plays[:-1])
    assert plays[-1] > 0 or found["blocked_by"] is not None
    assert (found["blocked_by"] is None) == (found["outcome"] == "win")
    assert sum(found["back_tens"].values()) <= sum(plays)
    assert found["control"] == ("full" if len(table["played"]) == sum(plays) else "partial")
    assert (found["largest_jump"] or 1) in range(1, 99)


@given(forks())
def test_an_evening_is_summed_up_as_the_story_that_it_tells(evening: Evening) -> None:
    """Whatever was undone, named or settled on the way there."""
    options = as_json(evening.options)
    told = [entry(action) for action in effective(evening.options, [*evening.common, *evening.device])]
    expected = summed(options, told)
    log = [entry(action) for action in (*evening.common, *evening.device)]
    assert summed(options, log) == expected
    cloud = [entry(action) for action in (*evening.common, *evening.cloud)]
    resolve = {"type": "resolve", "id": "r", "choice": "device", "base_version": 0, "actions": told}
    assert summed(options, [*cloud, resolve]) == expected
