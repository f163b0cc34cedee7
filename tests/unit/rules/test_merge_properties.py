"""What holds for any two branches of any game."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import assume, event, given, reject, settings
from hypothesis import strategies as st

from services.rules.the_game.actions import Action
from services.rules.the_game.branches import CLOSING_A_TURN, key, names, with_names
from services.rules.the_game.findings import Finding, Merged, Undecided
from services.rules.the_game.judgement import judge
from services.rules.the_game.log import effective, replay
from services.rules.the_game.merge import merge
from services.rules.the_game.options import Options
from services.rules.the_game.piles import NAMES
from services.rules.the_game.state import State
from services.rules.the_game.story import shared_beginning
from services.rules.the_game.table import table
from tests.unit.rules.evenings import Evening, forks, split_evenings, state_after

Play = tuple[object, str]
SIDES = st.sampled_from(["cloud", "device"])


def _merged(evening: Evening) -> Finding:
    found = merge(evening.options, evening.common, evening.cloud, evening.device)
    event(type(found).__name__)
    return found


def _stories(evening: Evening) -> list[list[Action]]:
    """The effective actions of the common log and of both branches, with the cards that either named."""
    logs = (evening.common, [*evening.common, *evening.cloud], [*evening.common, *evening.device])
    told = [effective(evening.options, log) for log in logs]
    known = names(told[1]) | names(told[2])
    return [with_names(story, known) for story in told]


def _plays(actions: Sequence[Action]) -> Counter[Play]:
    return Counter((key(action), action.pile) for action in actions if action.type == "play")


def _judged(options: Options, story: Sequence[Action]) -> State:
    timeline = replay(options, [])
    for action in story:
        timeline, outcome = judge(options, timeline, action)
        assert outcome.refusal is None
    return timeline.now.state


@given(forks(), SIDES)
def test_a_branch_merged_with_itself_is_itself(evening: Evening, side: str) -> None:
    entries = getattr(evening, side)
    found = merge(evening.options, evening.common, entries, entries)
    assert isinstance(found, Merged)
    assert list(found.story) == effective(evening.options, [*evening.common, *entries])
    assert found.state == state_after(evening.options, [*evening.common, *entries])
    assert found.first_difference is None


@given(forks(), SIDES, st.integers(0, 20))
def test_a_branch_merged_with_its_own_beginning_is_itself(evening: Evening, side: str, cut: int) -> None:
    entries = getattr(evening, side)
    expected = effective(evening.options, [*evening.common, *entries])
    for pair in ((entries, entries[:cut]), (entries[:cut], entries)):
        found = merge(evening.options, evening.common, *pair)
        assert isinstance(found, Merged)
        assert list(found.story) == expected


@given(forks())
def test_a_branch_without_values_left_out_is_contained_when_it_was_entered_again(evening: Evening) -> None:
    assume(all(action.type != "play" or action.card is not None for action in evening.cloud))
    assume(all(action.type not in ("undo", "redo", "identify") for action in evening.cloud))
    again = [
        Action(action.type, action.pile, action.card, action.confirmed, f"again {action.id}")
        for action in evening.cloud
    ]
    found = merge(evening.options, evening.common, evening.cloud, again)
    assert isinstance(found, Merged)
    assert found.is_clouds
    assert found.proof.plays_cloud_only == found.proof.plays_device_only == 0


@settings(max_examples=200)
@given(forks() | split_evenings())
def test_nothing_depends_on_which_side_is_called_cloud(evening: Evening) -> None:
    one = _merged(evening)
    other = merge(evening.options, evening.common, evening.device, evening.cloud)
    assert type(one) is type(other)
    assert one.state == other.state
    _assert_mirrored_difference(one, other)
    if isinstance(one, Merged) and isinstance(other, Merged):
        assert one.proof.plays_common == other.proof.plays_common
        assert one.proof.plays_cloud_only == other.proof.plays_device_only
        assert one.proof.turns == other.proof.turns
    if isinstance(one, Undecided) and isinstance(other, Undecided):
        mirrored = [(question.id, question.device, question.cloud) for question in other.questions]
        assert [(question.id, question.cloud, question.device) for question in one.questions] == mirrored
        assert (one.proposal and one.proposal.state) == (other.proposal and other.proposal.state)


def _assert_mirrored_difference(one: Finding, other: Finding) -> None:
    if one.first_difference is None or other.first_difference is None:
        assert one.first_difference is other.first_difference
        return
    there, mirrored = one.first_difference, other.first_difference
    assert (there.index, there.turn, there.seat) == (mirrored.index, mirrored.turn, mirrored.seat)
    assert (there.cloud, there.device) == (mirrored.device, mirrored.cloud)


@settings(max_examples=200)
@given(forks() | split_evenings())
def test_a_merged_story_is_legal_and_leads_to_its_state(evening: Evening) -> None:
    found = _merged(evening)
    stories = [found] if isinstance(found, Merged) else [found.proposal] if found.proposal else []
    for merged in stories:
        assert _judged(evening.options, merged.story) == merged.state
    if isinstance(found, Undecided):
        assert _judged(evening.options, found.agreed) == found.state


@settings(max_examples=200)
@given(forks() | split_evenings())
def test_every_play_of_both_is_in_the_result_once_and_no_other(evening: Evening) -> None:
    found = _merged(evening)
    merged = found if isinstance(found, Merged) else found.proposal
    if merged is None:
        return
    _, cloud, device = _stories(evening)
    if _is_beginning(evening.device, evening.cloud):
        expected = _plays(cloud)
    elif _is_beginning(evening.cloud, evening.device):
        expected = _plays(device)
    else:
        assume(not _was_taken_back(evening))
        expected = _plays(cloud) | _plays(device)
    assert _plays(merged.story) == expected
    assert max(expected.values(), default=1) == 1


@settings(max_examples=200)
@given(forks() | split_evenings())
def test_no_order_on_a_pile_is_guessed(evening: Evening) -> None:
    found = _woven(evening)
    _, cloud, device = _stories(evening)
    ours, theirs = _plays(cloud).keys(), _plays(device).keys()
    since: dict[str, set[str]] = {pile: set() for pile in NAMES}
    for action in found.story:
        if action.type == "play":
            one = (key(action), action.pile)
            alone = {"cloud"} if one not in theirs else {"device"} if one not in ours else set()
            since[action.pile] = since[action.pile] | alone if alone else set()
            assert len(since[action.pile]) < 2
        elif action.type in CLOSING_A_TURN:
            since = {pile: set() for pile in NAMES}


@settings(max_examples=200)
@given(forks() | split_evenings())
def test_turns_draws_and_confirmed_results_stay_as_they_were(evening: Evening) -> None:
    found = _woven(evening)
    merged = _marks(evening.options, found.story)
    for story in _stories(evening)[1:]:
        marks = _marks(evening.options, story)
        assert merged[: len(marks)] == marks


def _woven(evening: Evening) -> Merged:
    """What two branches make that both have something of their own; other evenings are passed over."""
    assume(not _is_beginning(evening.cloud, evening.device))
    assume(not _is_beginning(evening.device, evening.cloud))
    assume(not _was_taken_back(evening))
    found = _merged(evening)
    if not isinstance(found, Merged):
        reject()
    return found


def _is_beginning(one: Sequence[Action], other: Sequence[Action]) -> bool:
    return list(one) == list(other[: len(one)])


def _was_taken_back(evening: Evening) -> bool:
    base, cloud, device = _stories(evening)
    return min(shared_beginning(base, cloud), shared_beginning(base, device)) < len(base)


def _marks(options: Options, story: Sequence[Action]) -> list[object]:
    """Who closed each turn and how: the counts drawn, and the cards left at a confirmed result."""
    marks: list[object] = []
    timeline = replay(options, [])
    for action in story:
        before = timeline.now.state
        timeline, _ = judge(options, timeline, action)
        after = timeline.now.state
        if action.type == "draw":
            marks.append(("draw", before.seat, before.deck - after.deck))
        elif action.type == "confirm":
            marks.append(("confirm", after.remaining))
        elif action.type != "play":
            marks.append((action.type, before.seat, before.turn))
    return marks


@settings(max_examples=300)
@given(split_evenings())
def test_a_real_game_split_over_two_devices_merges_to_what_happened(evening: Evening) -> None:
    assert evening.original is not None
    found = _merged(evening)
    is_whole = _plays([*evening.cloud, *evening.device]).keys() | _plays(evening.common).keys()
    assume(is_whole == _plays(evening.original).keys())
    if isinstance(found, Merged):
        assert found.state == state_after(evening.options, evening.original)
    elif found.proposal is not None:
        assert found.proposal.state == state_after(evening.options, evening.original)


@settings(max_examples=200)
@given(split_evenings())
def test_plays_on_different_piles_never_need_a_question(evening: Evening) -> None:
    ours, theirs = _plays(evening.cloud).keys(), _plays(evening.device).keys()
    alone = [{pile for _, pile in plays} for plays in (ours - theirs, theirs - ours)]
    assume(not alone[0] & alone[1])
    assert isinstance(_merged(evening), Merged)


@settings(max_examples=200)
@given(forks() | split_evenings())
def test_questions_are_few_and_about_what_the_tables_show(evening: Evening) -> None:
    found = _merged(evening)
    if not isinstance(found, Undecided):
        reject()
    tables = [
        table(evening.options, state_after(evening.options, [*evening.common, *log]))
        for log in (evening.cloud, evening.device)
    ]
    assert 1 <= len(found.questions) <= 6
    assert len({question.id for question in found.questions}) == len(found.questions)
    for question in found.questions:
        for shown, side in zip(tables, (question.cloud, question.device), strict=True):
            if question.fact == "top":
                assert question.pile in NAMES
                assert question.id == f"top:{question.pile}"
                assert side == shown["piles"][question.pile]["top"]
            else:
                assert question.id == question.fact
                assert side == shown[question.fact]


@given(forks())
def test_undo_inside_a_branch_is_honoured(evening: Evening) -> None:
    assume(not _is_beginning(evening.cloud, evening.device))
    assume(not _is_beginning(evening.device, evening.cloud))
    base = effective(evening.options, evening.common)
    told = [effective(evening.options, [*evening.common, *log]) for log in (evening.cloud, evening.device)]
    assume(all(story[: len(base)] == base for story in told))
    folded = [story[len(base) :] for story in told]
    found = _merged(evening)
    without_undo = merge(evening.options, base, *folded)
    if isinstance(found, Merged):
        assert isinstance(without_undo, Merged)
        assert without_undo.state == found.state
    else:
        assert isinstance(without_undo, Undecided)
        assert without_undo.questions == found.questions
