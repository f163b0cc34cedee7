"""A connection is given up when nobody takes anything from it, and not because it is slow."""

from gateway.live.upkeep import FAREWELL_S, STALLED_S, Progress


def test_bytes_that_nobody_takes_are_a_stall() -> None:
    progress = Progress(0, at=0.0)
    assert not progress.is_stalled(handed=500, waiting=100, now=1.0)
    assert not progress.is_stalled(handed=500, waiting=100, now=STALLED_S)
    assert progress.is_stalled(handed=500, waiting=100, now=1.0 + STALLED_S)


def test_more_to_take_does_not_hide_a_stall() -> None:
    progress = Progress(0, at=0.0)
    progress.is_stalled(handed=500, waiting=100, now=1.0)
    assert progress.is_stalled(handed=900, waiting=500, now=1.0 + STALLED_S)


def test_one_byte_taken_is_progress() -> None:
    progress = Progress(0, at=0.0)
    progress.is_stalled(handed=500, waiting=100, now=1.0)
    assert not progress.is_stalled(handed=500, waiting=99, now=STALLED_S)
    assert not progress.is_stalled(handed=500, waiting=99, now=2 * STALLED_S - 0.1)
    assert progress.is_stalled(handed=500, waiting=99, now=2 * STALLED_S)


def test_silence_is_no_stall() -> None:
    progress = Progress(0, at=0.0)
    for now in range(0, 1000, 7):
        assert not progress.is_stalled(handed=500, waiting=0, now=float(now))
    assert not progress.is_stalled(handed=600, waiting=100, now=1000.0)


def test_a_stream_that_has_ended_is_given_a_while_to_be_read_to_its_end() -> None:
    progress = Progress(0, at=0.0)
    assert not progress.is_overdue(5.0)
    assert not progress.is_overdue(5.0 + FAREWELL_S - 0.1)
    assert progress.is_overdue(5.0 + FAREWELL_S)
