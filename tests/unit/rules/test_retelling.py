"""Going back to an earlier moment, and settling two branches: one entry each, and undo takes it back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules.malformed import Malformed
from services.rules.the_game.actions import Action, Whole
from services.rules.the_game.entries import as_json, read_entries
from services.rules.the_game.judgement import Outcome, judge
from services.rules.the_game.log import effective, replay
from services.rules.the_game.options import Options
from services.rules.the_game.timeline import Timeline
from tests.unit.rules.builders import BLOCK, CONFIRM, DRAW, END, TWO, UNDO, Json, after, judged, lay, walks

PLAYED = [lay("up1", 5, id="a1"), lay("up2", 9, id="a2"), DRAW, END, lay("down1", 90, id="a5")]
SEEN: Json = {
    "piles": {"up1": 5, "up2": None, "down1": 100, "down2": 60},
    "deck": 80,
    "hands": [7, 7],
    "active_seat": 1,
}


def rewind(version: int) -> Json:
    return {"type": "rewind", "id": "r", "to_version": version}


def resolve(choice: str, version: int, actions: list[Json] | None = None, **more: Any) -> Json:
    entry = {"type": "resolve", "id": "r", "choice": choice, "base_version": version}
    return {**entry, **({"actions": actions} if actions else {}), **more}


def entered(timeline: Timeline, entry: Json) -> tuple[Timeline, Outcome]:
    (action,) = read_entries([entry], "log")
    return judge(TWO, timeline, action)


def test_rewind_leads_back_to_an_earlier_moment_with_what_to_take_back_newest_first() -> None:
    timeline, outcome = entered(after(*PLAYED), rewind(1))
    assert timeline.now.state == after(PLAYED[0]).now.state
    assert outcome.instructions == [
        {"kind": "take_back", "seat": 1, "pile": "down1", "card": 90},
        {"kind": "next_player", "seat": 0},
        {"kind": "return_cards", "seat": 0, "count": 2},
        {"kind": "take_back", "seat": 0, "pile": "up2", "card": 9},
    ]


def test_undo_takes_a_rewind_back_as_one_thing_and_redo_makes_it_again() -> None:
    before = after(*PLAYED)
    timeline, _ = entered(before, rewind(1))
    undone, outcome = judge(TWO, timeline, Action("undo", target="r"))
    assert undone.now == before.now
    assert outcome.instructions == [{"kind": "next_player", "seat": 1}]
    redone, outcome = judge(TWO, undone, Action("redo", target="r"))
    assert redone.now == timeline.now
    assert len(outcome.instructions) == 4


def test_rewind_to_where_the_table_never_came_from_only_says_whose_turn_it_is() -> None:
    timeline = after(PLAYED[0], PLAYED[1], UNDO, UNDO, lay("up1", 6))
    rewound, outcome = entered(timeline, rewind(2))
    assert rewound.now.state == after(*PLAYED[:2]).now.state
    assert outcome.instructions == [{"kind": "next_player", "seat": 0}]


def test_rewind_leads_out_of_a_result_and_undo_back_to_it() -> None:
    over = after(BLOCK, CONFIRM)
    timeline, outcome = entered(over, rewind(0))
    assert (timeline.now.state.status, outcome.instructions) == ("playing", [])
    undone, outcome = judge(TWO, timeline, Action("undo"))
    assert undone.now.state.status == "finished"
    assert outcome.instructions == [{"kind": "result"}]


def test_what_is_played_after_a_rewind_goes_on_from_there() -> None:
    log = [*PLAYED, rewind(1), lay("up2", 20, id="a7")]
    actions = read_entries(log, "log")
    assert [action.id for action in effective(TWO, actions)] == ["a1", "a7"]
    assert replay(TWO, actions).now.state == after(PLAYED[0], log[-1]).now.state
    again = read_entries([*log, rewind(6)], "log")
    assert replay(TWO, again).now.state == after(PLAYED[0]).now.state


@pytest.mark.parametrize("entry", [rewind(6), resolve("cloud", 6)])
def test_a_version_that_never_was_is_malformed(entry: Json) -> None:
    with pytest.raises(Malformed):
        entered(after(*PLAYED), entry)
    with pytest.raises(Malformed):
        replay(TWO, read_entries([*PLAYED, entry], "log"))


def test_resolve_tells_one_story_from_the_common_moment_on() -> None:
    merged = [lay("down2", 70, id="d1"), PLAYED[1], DRAW, END]
    before = after(*PLAYED)
    timeline, outcome = entered(before, resolve("merged", 1, merged))
    assert timeline.now.state == after(PLAYED[0], *merged).now.state
    assert outcome.instructions == [{"kind": "next_player", "seat": 1}]
    assert judge(TWO, timeline, Action("undo", target="r"))[0].now == before.now


def test_resolve_with_a_result_says_to_look_at_it() -> None:
    _, outcome = entered(after(*PLAYED), resolve("device", 0, [BLOCK, CONFIRM]))
    assert outcome.instructions == [{"kind": "result"}]


def test_resolve_with_what_does_not_fit_is_refused() -> None:
    timeline = after(*PLAYED)
    same, outcome = entered(timeline, resolve("merged", 1, [lay("up1", 4, id="d1")]))
    assert same == timeline
    assert (outcome.refusal, outcome.errors) == ("illegal_play", ["d1"])


def test_the_table_decides_from_the_common_moment_on() -> None:
    timeline, outcome = entered(after(*PLAYED), resolve("table", 2, table=SEEN))
    assert outcome.refusal is None
    assert (timeline.now.state.seat, timeline.now.state.turn) == (1, 2)
    assert timeline.now.state.entered == 1 << 5 | 1 << 9 | 1 << 60
    _, outcome = entered(after(*PLAYED), resolve("table", 2, table=SEEN | {"deck": 84}))
    assert outcome.refusal == "table_impossible"
    assert isinstance(outcome.errors, dict)
    assert list(outcome.errors) == ["deck"]


def test_what_both_agreed_on_stays_when_the_table_decides() -> None:
    agreed = [lay("down2", 60, id="d1")]
    timeline, _ = entered(after(*PLAYED), resolve("table", 1, agreed, table=SEEN))
    assert timeline.now.state.entered == 1 << 5 | 1 << 60
    assert timeline.now.state.piles[1].possible >> 1 & 1


def test_a_card_laid_in_a_resolved_story_can_be_named_later() -> None:
    story = [lay("up1", confirmed=True, id="v")]
    log = [resolve("device", 0, story), {"type": "identify", "target": "v", "card": 30}]
    assert replay(TWO, read_entries(log, "log")).now.state == after(lay("up1", 30)).now.state


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "adopt"},
        {"type": "adopt", "table": 5},
        {"type": "adopt", "table": SEEN, "id": 5},
        {"type": "rewind"},
        {"type": "rewind", "to_version": -1},
        {"type": "rewind", "to_version": True},
        {"type": "rewind", "to_version": "1"},
        resolve("mine", 0),
        resolve("cloud", -1),
        resolve("table", 0),
        resolve("merged", 0, [UNDO]),
        resolve("merged", 0, [rewind(0)]),
        resolve("merged", 0, [{"type": "play", "confirmed": 5}]),
        {**resolve("merged", 0), "actions": 5},
    ],
)
def test_an_entry_of_the_wrong_shape_is_malformed(entry: Json) -> None:
    with pytest.raises(Malformed):
        read_entries([entry], "log")


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "adopt", "table": {**SEEN, "deck": 99}},
        resolve("table", 0, table={**SEEN, "deck": 99}),
        resolve("merged", 0, [lay("left", 5)]),
        resolve("merged", 0, [{"type": "adopt", "table": {}}]),
        {"type": "identify", "target": "a1", "card": 30},
        {"type": "identify", "target": "v", "card": 300},
    ],
)
def test_a_log_with_an_entry_that_was_never_accepted_is_malformed(entry: Json) -> None:
    with pytest.raises(Malformed):
        replay(TWO, read_entries([PLAYED[0], lay("up2", confirmed=True, id="v"), entry], "log"))


@given(walks(), st.integers(0, 60))
def test_rewind_leads_to_any_version_and_undo_back(walk: tuple[Options, list[Json]], cut: int) -> None:
    options, actions = walk
    timeline, _ = judged(options, actions)
    versions = timeline.versions()
    version = min(cut, len(versions) - 1)
    rewound, outcome = judge(options, timeline, Action("rewind", whole=Whole(version)))
    assert outcome.refusal is None
    assert rewound.now.state == versions[version].now.state
    assert judge(options, rewound, Action("undo"))[0].now == timeline.now
    again = judge(options, rewound, Action("rewind", whole=Whole(len(versions) - 1)))[0]
    assert again.now.state == timeline.now.state


@given(walks())
def test_a_story_survives_its_json(walk: tuple[Options, list[Json]]) -> None:
    options, actions = walk
    timeline, outcomes = judged(options, actions)
    kept = [action for action, outcome in zip(actions, outcomes, strict=True) if outcome.refusal is None]
    told = effective(options, read_entries(kept, "log"))
    assert read_entries([as_json(action) for action in told], "log") == told
    assert replay(options, told).now.state == timeline.now.state
