"""The physical acts that an accepted action asks for."""

import pytest

from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, REDO, UNDO, Json, last, lay

PLAYED = [lay("up1", 5), lay("up1", 6)]
DRAWN = [*PLAYED, DRAW]
ENDED = [*DRAWN, END]


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        (PLAYED, []),
        (DRAWN, [{"kind": "draw", "seat": 0, "count": 2}]),
        (ENDED, [{"kind": "next_player", "seat": 1}]),
        ([BLOCK], [{"kind": "result"}]),
        ([BLOCK, CONFIRM], [{"kind": "result"}]),
        ([*PLAYED, UNDO], [{"kind": "take_back", "seat": 0, "pile": "up1", "card": 6}]),
        ([lay("up2", confirmed=True), UNDO], [{"kind": "take_back", "seat": 0, "pile": "up2"}]),
        ([*DRAWN, UNDO], [{"kind": "return_cards", "seat": 0, "count": 2}]),
        ([*ENDED, UNDO], [{"kind": "next_player", "seat": 0}]),
        ([BLOCK, UNDO], []),
        ([BLOCK, CONFIRM, UNDO], []),
        ([*PLAYED, UNDO, REDO], []),
        ([*DRAWN, UNDO, REDO], [{"kind": "draw", "seat": 0, "count": 2}]),
        ([*ENDED, UNDO, REDO], [{"kind": "next_player", "seat": 1}]),
        ([BLOCK, CONFIRM, UNDO, REDO], [{"kind": "result"}]),
    ],
)
def test_the_table_is_told_what_to_do(actions: list[Json], expected: list[Json]) -> None:
    assert last(*actions).instructions == expected
