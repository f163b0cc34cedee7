"""What a machine recorded: which entries wait, and what undo and redo would mean."""

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.client.contract import Game
from gateway.client.offline import Recorded, Unreadable, answered, of_lines
from tests.unit.client import documents as a


def base(**changes: Any) -> Game:
    return cast("Game", a.game(**changes))


def lines(*actions: dict[str, Any], **game: Any) -> list[dict[str, Any] | None]:
    return [{"base": a.game(**game)}, *({"action": it} for it in actions)]


def recorded(*told: dict[str, Any] | None) -> Recorded:
    found = of_lines(told)
    assert found is not None
    return found


DRAW, END = {"id": "d", "type": "draw"}, {"id": "e", "type": "end_turn"}


def test_nothing_recorded_is_nothing() -> None:
    assert of_lines([]) is None
    assert of_lines([None]) is None


def test_everything_recorded_waits_until_it_was_answered() -> None:
    told = lines(DRAW, END, version=4)
    found = recorded(*told)
    assert (found.version, [it["id"] for it in found.unsent]) == (4, ["d", "e"])
    found = recorded(*told, answered(5, [cast("Any", a.outcome(action_id="d"))]))
    assert (found.version, [it["id"] for it in found.unsent]) == (5, ["e"])


def test_what_is_at_the_gateway_in_a_conflict_does_not_wait_and_what_comes_after_does() -> None:
    found = recorded(*lines(DRAW), {"conflict": {"id": "c", "count": 1}}, {"action": END})
    assert (found.conflict_id, [it["id"] for it in found.unsent]) == ("c", ["e"])


def test_a_torn_line_is_counted_and_the_others_stand() -> None:
    first, second = lines(DRAW)
    found = recorded(first, None, second)
    assert (found.torn, len(found.actions)) == (1, 1)


@pytest.mark.parametrize(
    "line", [{"action": DRAW}, {"base": []}, {"base": {"version": 1}}, {"base": {"table": {}}}]
)
def test_a_journal_without_a_base_makes_no_sense(line: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        of_lines([line])


@pytest.mark.parametrize("line", [{}, {"conflict": {}}, {"answered": {"version": 1}}, {"conflict": []}])
def test_a_line_that_says_nothing_known_makes_no_sense(line: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        of_lines([*lines(), line])


def test_undo_and_redo_reach_back_to_what_was_seen_last_and_no_further() -> None:
    game = base(undo={"target": "seen", "type": "draw"}, redo={"target": "gone", "type": "play"})
    found = Recorded(game)
    assert (found.undo(), found.redo()) == (game["undo"], game["redo"])
    undone = Recorded(game, ({"id": "u", "type": "undo", "target": "seen"},))
    assert (undone.undo(), undone.redo()) == (None, game["undo"])
    assert Recorded(game, (cast("Any", DRAW),)).redo() is None


@given(st.lists(st.sampled_from(["draw", "undo", "redo"]), max_size=30))
def test_undo_and_redo_mean_what_they_would_mean_one_after_the_other(kinds: list[str]) -> None:
    done: list[str] = []
    undone: list[str] = []
    actions: list[Any] = []
    for number, kind in enumerate(kinds):
        found = Recorded(base(), tuple(actions))
        undo, redo = found.undo(), found.redo()
        assert (undo and undo["target"]) == (done[-1] if done else None)
        assert (redo and redo["target"]) == (undone[-1] if undone else None)
        if kind == "draw":
            done.append(str(number))
            undone.clear()
        elif kind == "undo" and done:
            undone.append(done.pop())
        elif kind == "redo" and undone:
            done.append(undone.pop())
        else:
            continue
        actions.append({"id": str(number), "type": kind})
