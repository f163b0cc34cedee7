"""What stands on the wire is the event stream format, one line of JSON per event."""

import json

import pytest

from gateway.live import frames


def fields(data: bytes) -> list[str]:
    assert data.endswith(b"\n\n")
    return data.decode().removesuffix("\n\n").split("\n")


def test_an_entry_names_its_seq_and_carries_what_it_led_to() -> None:
    made = frames.entry({"seq": 7, "by": {"device": "a\nb"}}, {"turn": 1}, None)
    assert made.seq == 7
    where, kind, data = fields(made.data)
    assert (where, kind) == ("id: 7", "event: entry")
    assert json.loads(data.removeprefix("data: ")) == {
        "entry": {"seq": 7, "by": {"device": "a\nb"}},
        "table": {"turn": 1},
        "result": None,
    }


@pytest.mark.parametrize("document", [{"seq": "7"}, {"seq": True}, {"seq": 7.0}])
def test_an_entry_whose_seq_is_no_integer_is_none(document: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        frames.entry(document, {}, None)


def test_presence_moves_nobodys_position() -> None:
    assert fields(frames.presence([])) == ["event: presence", 'data: {"devices":[]}']


def test_an_end_says_why() -> None:
    assert fields(frames.end("not_found")) == ["event: end", 'data: {"code":"not_found","retry_after":null}']


def test_an_end_says_when_to_come_back_in_both_ways_that_clients_know() -> None:
    assert fields(frames.end("service_unavailable", 1250)) == [
        "retry: 1250",
        "event: end",
        'data: {"code":"service_unavailable","retry_after":1.25}',
    ]


def test_a_stream_begins_with_when_to_come_back_and_a_comment() -> None:
    wait, comment = fields(frames.OPENING)
    assert wait == "retry: 1000"
    assert comment.startswith(":")
