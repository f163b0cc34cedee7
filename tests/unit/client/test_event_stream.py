"""The event stream format, field by field as the WHATWG describes it, and however its bytes are cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.client import event_stream
from gateway.client.event_stream import EventStream, Message, TooLong

NOT_BROKEN = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)
NAMES = st.sampled_from(["data", "data", "data", "event", "id", "retry", "", "unknown"]) | NOT_BROKEN
LINES = st.one_of(
    st.just(""),
    st.just(""),
    NOT_BROKEN,
    st.builds("{}{}{}".format, NAMES, st.sampled_from([":", ": ", ":  "]), NOT_BROKEN | st.just("12")),
)
TEXTS = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r", "\r\n"])), max_size=30).map(
    lambda lines: "".join(line + end for line, end in lines)
)
STREAMS = st.one_of(TEXTS.map(str.encode), TEXTS.map(lambda text: text.encode("utf-8-sig")), st.binary())


def read(*pieces: bytes) -> list[Message]:
    stream = EventStream()
    return [message for piece in pieces for message in stream.feed(piece)]


def as_described(whole: bytes) -> list[Message]:
    """The messages of a whole stream, read as slowly and plainly as the standard says it."""
    text = whole.decode("utf-8", errors="replace").removeprefix("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]
    found, event, data, last_id = [], "", "", ""
    for line in lines:
        if line == "":
            if data:
                found.append(Message(event or "message", data[:-1], last_id))
            event = data = ""
        elif not line.startswith(":"):
            name, colon, value = line.partition(":")
            value = value[1:] if colon and value[:1] == " " else value
            if name == "event":
                event = value
            elif name == "data":
                data += value + "\n"
            elif name == "id" and "\0" not in value:
                last_id = value
    return found


@st.composite
def chopped(draw: st.DrawFn) -> list[bytes]:
    whole = draw(STREAMS)
    cuts = draw(st.lists(st.integers(0, len(whole)), max_size=20))
    return [whole[start:end] for start, end in pairwise([0, *sorted(cuts), len(whole)])]


@given(chopped())
def test_however_a_stream_is_cut_its_messages_are_those_of_the_whole(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    assert read(*pieces) == read(whole)
    assert read(*(bytes([byte]) for byte in whole)) == read(whole)


@given(STREAMS.filter(lambda whole: whole.count(b"\xef\xbb\xbf") < 2))
def test_a_stream_reads_as_the_standard_describes_it(whole: bytes) -> None:
    # An unfinished sign at the very end belongs to no line, so it does not matter how it is replaced.
    assert read(whole) == as_described(whole)


@given(NOT_BROKEN, NOT_BROKEN)
def test_what_is_written_is_read(first: str, second: str) -> None:
    assert read(f"event: e\ndata: {first}\ndata: {second}\n\n".encode()) == [
        Message("e", f"{first}\n{second}", "")
    ]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_message_is_there_as_soon_as_its_empty_line_is(end: str) -> None:
    stream = EventStream()
    assert stream.feed(f"id: 7{end}data: x".encode()) == []
    assert stream.feed(end.encode()) == []
    assert stream.feed(end[:1].encode()) == [Message("message", "x", "7")]
    assert stream.feed(end[1:].encode() + b"data: y\n\n") == [Message("message", "y", "7")]


def test_comments_and_names_not_known_mean_nothing() -> None:
    assert read(b": keep-alive\n\n:\nfoo: bar\ndata: x\nfoo\n\n") == [Message("message", "x", "")]


def test_an_event_without_data_is_none_but_its_id_stays() -> None:
    assert read(b"id: 4\nevent: e\n\ndata\n\n") == [Message("message", "", "4")]


def test_an_id_with_a_null_in_it_is_not_taken() -> None:
    assert read(b"id: 4\nid: 5\0\ndata: x\n\n")[0].id == "4"


@pytest.mark.parametrize(("value", "expected"), [("1000", 1000), ("-1", None), ("1.5", None), ("²", None)])
def test_only_digits_say_when_to_come_back(value: str, expected: int | None) -> None:
    stream = EventStream()
    stream.feed(f"retry: {value}\n".encode())
    assert stream.retry_ms == expected


def test_what_is_unfinished_at_the_end_is_no_message() -> None:
    assert read(b"data: x\n\ndata: y\n") == [Message("message", "x", "")]


@pytest.mark.parametrize("piece", [b"data: " + b"x" * 50, b"data: xxxxx\n" * 20, b"x" * 101])
def test_a_message_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch, piece: bytes) -> None:
    monkeypatch.setattr(event_stream, "LONGEST_CHARACTERS", 100)
    with pytest.raises(TooLong):
        read(piece, piece, piece)


def test_many_messages_of_good_length_are_no_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "LONGEST_CHARACTERS", 100)
    assert len(read(*[b"data: xxxxxxxxxx\n\n"] * 50)) == 50
