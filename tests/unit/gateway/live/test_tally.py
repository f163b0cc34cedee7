"""The books agree exactly when every entry that was ever added to the stream has been read."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.live.tally import Tally
from shared.bus.positions import START, Position


def read(tally: Tally, *numbers: int) -> Tally:
    for number in numbers:
        tally.see(Position(number, 0))
    return tally


def test_they_agree_when_everything_was_read() -> None:
    assert read(Tally(Position(4, 0), 10), 5, 6, 7).agrees(Position(7, 0), 13)


def test_an_empty_stream_agrees_with_having_read_nothing() -> None:
    assert Tally(START, 0).agrees(START, 0)


def test_a_flushed_stream_does_not_agree() -> None:
    assert not Tally(Position(4, 0), 10).agrees(START, 0)


def test_a_flushed_stream_does_not_agree_although_it_has_grown_beyond_what_it_was() -> None:
    tally = read(Tally(Position(4, 0), 2), 6, 7, 8)
    assert not tally.agrees(Position(8, 0), 4)


def test_a_stream_whose_last_id_went_back_does_not_agree() -> None:
    assert not read(Tally(START, 0), 1, 2).agrees(Position(1, 0), 2)


@given(st.lists(st.booleans(), min_size=1))
def test_they_agree_if_and_only_if_nothing_was_missed(seen: list[bool]) -> None:
    tally = Tally(START, 0)
    read(tally, *(number for number, was_read in enumerate(seen, 1) if was_read))
    assert tally.agrees(Position(len(seen), 0), len(seen)) is all(seen)
