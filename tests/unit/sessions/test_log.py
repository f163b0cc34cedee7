"""Which entries of a log count."""

from hypothesis import given
from hypothesis import strategies as st

from services.sessions.domain.log import effective


@st.composite
def logs(draw: st.DrawFn) -> list[tuple[int, str]]:
    """Logs that could have been accepted: no undo or redo without something to take."""
    log: list[tuple[int, str]] = []
    standing = undone = 0
    for seq in range(1, draw(st.integers(0, 30)) + 1):
        kinds = ["play"] + ["undo"] * (standing > 0) + ["redo"] * (undone > 0)
        kind = draw(st.sampled_from(kinds))
        if kind == "undo":
            standing, undone = standing - 1, undone + 1
        elif kind == "redo":
            standing, undone = standing + 1, undone - 1
        else:
            standing, undone = standing + 1, 0
        log.append((seq, kind))
    return log


@given(logs())
def test_an_undo_after_any_log_takes_the_last_counting_entry_off(log: list[tuple[int, str]]) -> None:
    before = effective(log)
    if before:
        assert effective([*log, (len(log) + 1, "undo")]) == before - {max(before)}


@given(logs())
def test_a_redo_after_an_undo_gives_the_log_back(log: list[tuple[int, str]]) -> None:
    before = effective(log)
    if before:
        n = len(log)
        assert effective([*log, (n + 1, "undo"), (n + 2, "redo")]) == before


@given(logs())
def test_undo_and_redo_never_count_themselves(log: list[tuple[int, str]]) -> None:
    kinds = dict(log)
    assert all(kinds[seq] == "play" for seq in effective(log))


def test_after_a_new_action_what_was_undone_stays_undone() -> None:
    assert effective([(1, "play"), (2, "undo"), (3, "play")]) == {3}
