"""The recorded games: complete, legal by the cards alone, won; a game that went otherwise is told apart."""

from typing import Any, cast

import pytest

from gateway.client.recordings import NAMES, differences, load, turns
from tests.unit.client import documents as a

START = {"up1": 1, "up2": 1, "down1": 100, "down2": 100}


def played(name: str) -> dict[str, int]:
    """The tops after all plays of a recording; every play judged by its card and pile."""
    tops = dict(START)
    for action in load(name).actions:
        if action["type"] != "play":
            continue
        pile, card = action["pile"], action["card"]
        step = card - tops[pile] if pile.startswith("up") else tops[pile] - card
        assert step > 0 or step == -10, action
        tops[pile] = card
    return tops


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_lays_each_card_once_where_it_fits(name: str) -> None:
    recording = load(name)
    laid = [action["card"] for action in recording.actions if action["type"] == "play"]
    assert sorted(laid) == list(range(2, 100))
    assert played(name) == recording.final["piles"]
    assert recording.final["remaining"] == 0
    assert recording.actions[-1]["type"] == "confirm"


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_can_be_sent_again_and_again_under_new_ids(name: str) -> None:
    recording = load(name)
    ids = [action["id"] for action in [*recording.fresh_actions(), *recording.fresh_actions()]]
    assert len(set(ids)) == 2 * len(recording.actions)
    assert all("id" not in action for action in recording.actions)


@pytest.mark.parametrize("name", NAMES)
def test_cut_into_turns_it_is_the_same_game(name: str) -> None:
    actions = load(name).actions
    cut = turns(actions)
    assert [action for turn in cut for action in turn] == actions
    assert all(turn[-1]["type"] == "end_turn" for turn in cut[:-1])
    assert cut[-1][-1]["type"] == "confirm"


def end(name: str, **changes: Any) -> Any:
    """The game document at the end of a recording."""
    recording = load(name)
    table = {
        **recording.final,
        "piles": {pile: {"top": top} for pile, top in recording.final["piles"].items()},
    }
    return {"version": len(recording.actions), "result": a.result(), "table": table, **changes}


@pytest.mark.parametrize("name", NAMES)
def test_a_game_that_went_as_recorded_shows_no_difference(name: str) -> None:
    assert differences(load(name), cast("Any", end(name))) == []


def test_every_difference_is_told() -> None:
    name = NAMES[0]
    table = {**end(name)["table"], "deck": 1}
    other = end(name, version=3, result=a.result("loss", 4, "excellent"), table=table)
    assert differences(load(name), other) == [
        "result is ('loss', 4), recorded ('win', 0)",
        f"version is 3, recorded {len(load(name).actions)}",
        "deck is 1, recorded 0",
    ]


def test_a_game_without_a_result_differs() -> None:
    name = NAMES[0]
    assert differences(load(name), end(name, result=None)) == ["result is None, recorded ('win', 0)"]
