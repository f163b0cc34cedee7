"""Which entries of a log count."""

from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.log import Mark, counting, effective, made_by


@st.composite
def logs(draw: st.DrawFn, *, going_back: bool = False) -> list[Mark]:
    """Logs that could have been accepted: no undo or redo without something to take."""
    log: list[Mark] = []
    standing = undone = 0
    back = ["rewind", "resolve"] * going_back
    for seq in range(1, draw(st.integers(0, 30)) + 1):
        kinds = ["play"] + ["undo"] * (standing > 0) + ["redo"] * (undone > 0) + back
        kind = draw(st.sampled_from(kinds))
        if kind == "undo":
            standing, undone = standing - 1, undone + 1
        elif kind == "redo":
            standing, undone = standing + 1, undone - 1
        else:
            standing, undone = standing + 1, 0
        if kind in back:
            adds = kind == "resolve" and draw(st.booleans())
            log.append(Mark(seq, kind, draw(st.integers(0, seq - 1)), adds))
        else:
            log.append(Mark(seq, kind))
    return log


@given(logs())
def test_an_undo_after_any_log_takes_the_last_counting_entry_off(log: list[Mark]) -> None:
    before = effective(log)
    if before:
        assert effective([*log, Mark(len(log) + 1, "undo")]) == before - {max(before)}


@given(logs(going_back=True))
def test_a_redo_after_an_undo_gives_the_log_back(log: list[Mark]) -> None:
    before = effective(log)
    if before:
        n = len(log)
        assert effective([*log, Mark(n + 1, "undo"), Mark(n + 2, "redo")]) == before


@given(logs(going_back=True))
def test_undo_and_redo_never_count_themselves(log: list[Mark]) -> None:
    kinds = {mark.seq: mark.kind for mark in log}
    assert all(kinds[seq] not in ("undo", "redo") for seq in effective(log))


@given(logs(going_back=True), st.data())
def test_going_back_makes_count_what_counted_then_and_undo_what_counted_before(
    log: list[Mark], data: st.DataObject
) -> None:
    n, version = len(log), data.draw(st.integers(0, len(log)))
    gone_back = [*log, Mark(n + 1, "rewind", version, adds=False)]
    assert effective(gone_back) == effective(log[:version]) | {n + 1}
    assert effective([*gone_back, Mark(n + 2, "undo")]) == effective(log)


def test_after_a_new_action_what_was_undone_stays_undone() -> None:
    assert effective([Mark(1, "play"), Mark(2, "undo"), Mark(3, "play")]) == {3}


@given(logs(going_back=True), st.sets(st.integers(1, 30)))
def test_what_of_some_entries_counts_after_each_entry_is_what_counts_in_the_log_up_to_it(
    log: list[Mark], some: set[int]
) -> None:
    expected = [effective(log[: n + 1]) & some for n in range(len(log))]
    assert list(counting(log, some)) == expected


@given(logs(going_back=True))
def test_what_is_brought_back_was_made_by_the_entry_that_made_it_first(log: list[Mark]) -> None:
    made = made_by(log)
    making = {mark.seq for mark in log if mark.kind not in ("undo", "redo") and mark.adds}
    assert {seq for seq in made if seq} <= making
    for mark in log:
        if mark.seq in making:
            assert made[mark.seq] == mark.seq
        elif mark.back_to is not None:
            assert made[mark.seq] == made[mark.back_to]
