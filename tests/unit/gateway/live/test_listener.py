"""Whatever becomes of events on their way, a listener gets the log from its position on, once, in order."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.live import news
from gateway.live.listener import MAX_BYTES, MAX_FRAMES, Listener
from tests.unit.gateway.live.builders import OWNER, advanced, frame, listener

PAGE = 3


@dataclass
class Table:
    """A game, what its events say, and one listener whose stream writes to `written`."""

    length: int
    position: int
    events: list[dict[str, object]] = field(default_factory=list)
    written: list[bytes] = field(default_factory=list)
    after: int | None = None

    def __post_init__(self) -> None:
        self.listener = Listener(OWNER, self.position)

    def grow(self, entries: int, told: bool) -> None:
        """A batch is added to the log, and its event is on the way."""
        first, self.length = self.length + 1, self.length + entries
        self.events.append(advanced(first, self.length, says_what_each_led_to=told))

    def deliver(self, which: int, again: bool) -> None:
        """One of the events arrives, any of them, and perhaps once more later."""
        if self.events:
            which %= len(self.events)
            news.advance([self.listener], self.events[which])
            if not again:
                del self.events[which]

    def lose(self, which: int) -> None:
        """One of the events never arrives. Nobody knows yet."""
        if self.events:
            del self.events[which % len(self.events)]

    def write(self) -> None:
        self.written += self.listener.take()

    def read(self) -> None:
        """A page of the log is asked for, or comes in."""
        if self.after is not None:
            page = [frame(seq) for seq in range(self.after + 1, self.length + 1)][:PAGE]
            has_more = self.after + len(page) < self.length
            self.written += self.listener.fill(page, has_more=has_more)
            self.after = None
        elif self.listener.is_behind and self.listener.is_idle:
            self.after = self.listener.begin_reading()

    def settle(self) -> None:
        """The feed has noticed that something may be missing; all that waits is done."""
        self.listener.doubt()
        while self.after is not None or self.listener.is_behind or not self.listener.is_idle:
            self.write()
            self.read()

    def expected(self) -> list[bytes]:
        return [frame(seq).data for seq in range(self.position + 1, self.length + 1)]


steps = st.one_of(
    st.tuples(st.just("grow"), st.integers(1, 5), st.booleans()),
    st.tuples(st.just("deliver"), st.integers(0, 9), st.booleans()),
    st.tuples(st.just("lose"), st.integers(0, 9)),
    st.tuples(st.just("write")),
    st.tuples(st.just("read")),
)


@given(st.integers(0, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), st.lists(steps))
def test_it_writes_exactly_the_log_after_its_position(
    start: tuple[int, int], course: list[tuple[object, ...]]
) -> None:
    table = Table(*start)
    for name, *arguments in course:
        getattr(table, str(name))(*arguments)
        assert table.written == table.expected()[: len(table.written)]
    table.settle()
    assert table.written == table.expected()


@given(st.lists(steps))
def test_without_losses_nobody_needs_to_notice_anything(course: list[tuple[object, ...]]) -> None:
    table = Table(0, 0)
    for name, *arguments in course:
        if name != "lose":
            getattr(table, str(name))(*arguments)
    while table.events:
        table.deliver(-1, again=False)
    while table.after is not None or table.listener.is_behind or not table.listener.is_idle:
        table.write()
        table.read()
    assert table.written == table.expected()


def test_an_event_in_order_needs_no_reading() -> None:
    one = listener()
    news.advance([one], advanced(1, 1))
    news.advance([one], advanced(2, 4))
    assert one.take() == [frame(seq).data for seq in (1, 2, 3, 4)]
    assert not one.is_behind


def test_everybody_gets_the_same_bytes() -> None:
    several = [listener() for _ in range(3)]
    news.advance(several, advanced(1, 1))
    first, *others = [it.take()[0] for it in several]
    assert all(it is first for it in others)


def test_a_batch_that_does_not_say_what_each_entry_led_to_is_read_from_the_log() -> None:
    one = listener()
    news.advance([one], advanced(1, 20, says_what_each_led_to=False))
    assert one.is_idle
    assert one.is_behind


def test_a_doubt_while_the_log_is_read_makes_it_read_again() -> None:
    one = listener(up_to_date=False)
    one.begin_reading()
    one.doubt()
    one.fill([], has_more=False)
    assert one.is_behind


def test_too_many_frames_end_the_stream_and_free_what_was_queued() -> None:
    one = listener()
    for seq in range(1, MAX_FRAMES + 1):
        one.offer(frame(seq))
    assert one.farewell is None
    one.offer(frame(MAX_FRAMES + 1))
    assert one.ended_by == "too_slow"
    assert one.take() == []


def test_too_many_bytes_end_the_stream() -> None:
    one = listener()
    one.tell(b"x" * MAX_BYTES)
    assert one.farewell is None
    one.tell(b"x")
    assert one.ended_by == "too_slow"


def test_a_stream_that_reads_on_is_never_too_slow() -> None:
    one = listener()
    for seq in range(1, 3 * MAX_FRAMES):
        one.offer(frame(seq))
        assert one.take() == [frame(seq).data]
    assert one.farewell is None


def test_of_what_is_shown_only_the_newest_waits() -> None:
    one = listener()
    for number in range(2 * MAX_FRAMES):
        one.show(b"%d" % number)
    assert one.take() == [b"%d" % (2 * MAX_FRAMES - 1)]
    assert one.is_idle


def test_the_first_reason_to_end_is_the_one_told_and_nothing_comes_after_it() -> None:
    one = listener()
    one.end("not_found")
    one.end("service_unavailable", 500)
    one.tell(b"late")
    one.show(b"late")
    assert one.ended_by == "not_found"
    assert one.take() == []


@pytest.mark.parametrize(
    "act",
    [
        lambda one: one.tell(b"x"),
        lambda one: one.show(b"x"),
        lambda one: one.offer(frame(1)),
        lambda one: one.hear(7),
        lambda one: one.doubt(),
        lambda one: one.end("not_found"),
    ],
)
def test_it_is_woken_when_there_is_something_to_do(act: Callable[[Listener], None]) -> None:
    woken: list[bool] = []
    one = listener()
    one.wake = lambda: woken.append(True)
    act(one)
    assert woken == [True]
