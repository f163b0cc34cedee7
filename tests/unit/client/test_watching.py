"""Watching a game: every entry once and in order, whatever happens to the connection."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.client import ApiProblem, Lost, NinetyEight, NoGateway, Tokens, UnexpectedAnswer, watching
from gateway.client.live import EntrySeen, LiveEvent, PresenceSeen
from gateway.client.patience import LONGEST_RETURN_S, return_pause_s
from gateway.client.transport import checked_device
from tests.unit.client import documents as a
from tests.unit.client.documents import GAME_ID, entry_frame, frame
from tests.unit.client.peer import Behaviour, Peer, Received, answers, breaks_off, drops, refuses, streams

SOON = b"retry: 10\n: hello\n\n"


def seqs(events: Iterator[LiveEvent], count: int) -> list[int]:
    """The numbers of the first `count` entries."""
    entries = (event.entry["seq"] for event in events if isinstance(event, EntrySeen))
    return list(islice(entries, count))


def resumed_after(peer: Peer) -> list[str]:
    return [it.headers["Last-Event-ID"] for it in peer.received if it.path.endswith("/live")]


def test_entries_and_presence_come_as_they_are_told(peer: Peer, client: NinetyEight) -> None:
    devices = [a.device(device="Ana's phone")]
    peer.script += [
        streams(
            SOON,
            entry_frame(1, {"type": "draw"}, table={"deck": 70}, result=a.result()),
            b": keep-alive\n\n",
            frame("presence", {"devices": devices}),
            frame("weather", {"fine": True}),
            entry_frame(2),
            stays_open=True,
        )
    ]
    first, second, third = islice(client.games.watch(GAME_ID), 3)
    assert isinstance(first, EntrySeen)
    assert (first.entry["seq"], first.table["deck"], first.result) == (1, 70, a.result())
    assert second == PresenceSeen(devices)
    assert isinstance(third, EntrySeen)
    sent = peer.received[0]
    assert (sent.method, sent.path) == ("GET", f"/v1/games/{GAME_ID}/live")
    assert sent.headers["Accept"] == "text/event-stream"
    assert sent.headers["Authorization"] == "Bearer access-1"
    assert sent.headers["Last-Event-ID"] == "0"
    assert "X-Device" not in sent.headers


def test_who_watches_may_have_a_name(peer: Peer) -> None:
    peer.rule = lambda _: streams(entry_frame(1), stays_open=True)
    with NinetyEight(peer.url, device="Ana's phone") as client:
        seqs(client.games.watch(GAME_ID), 1)
        seqs(client.games.watch(GAME_ID, device="the tablet"), 1)
    assert [it.headers["X-Device"] for it in peer.received] == ["Ana's phone", "the tablet"]


@pytest.mark.parametrize("name", ["", " ", "x" * 65, "a\nb"])
def test_a_name_that_nobody_could_read_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="device"):
        checked_device(name)


@pytest.mark.parametrize(
    "ending",
    [
        streams(SOON, entry_frame(3), entry_frame(4)),
        streams(SOON, entry_frame(3), entry_frame(4), entry_frame(5)[:-30]),
        breaks_off(SOON + entry_frame(3) + entry_frame(4), content_type="text/event-stream"),
        streams(
            SOON,
            entry_frame(3),
            entry_frame(4),
            frame("end", {"code": "service_unavailable", "retry_after": 0.01}),
            entry_frame(7),
        ),
        streams(
            SOON, entry_frame(3), entry_frame(4), frame("end", {"code": "too_slow", "retry_after": None})
        ),
        streams(entry_frame(3), entry_frame(4), b"retry: 10\n" + frame("end", {"code": "unauthenticated"})),
    ],
    ids=["closed", "in the middle of a frame", "broken", "shutdown", "too slow", "old token"],
)
def test_a_stream_that_ends_is_resumed_after_the_last_entry(
    peer: Peer, client: NinetyEight, ending: Behaviour
) -> None:
    peer.script += [ending, streams(entry_frame(5), stays_open=True)]
    assert seqs(client.games.watch(GAME_ID, after=2), 3) == [3, 4, 5]
    assert resumed_after(peer) == ["2", "4"]


def test_entries_told_twice_are_seen_once(peer: Peer, client: NinetyEight) -> None:
    peer.script += [streams(*map(entry_frame, (1, 2, 2, 1, 3, 3, 4)), stays_open=True)]
    assert seqs(client.games.watch(GAME_ID), 4) == [1, 2, 3, 4]


def test_a_gap_is_filled_from_the_log(peer: Peer, client: NinetyEight) -> None:
    peer.script += [
        streams(entry_frame(1), entry_frame(4), entry_frame(5), stays_open=True),
        answers(200, {"items": [a.logged(2)], "next_cursor": "2"}),
        answers(200, {"items": [a.logged(3), a.logged(4)], "next_cursor": None}),
    ]
    events = list(islice(client.games.watch(GAME_ID), 5))
    assert [event.entry["seq"] for event in events if isinstance(event, EntrySeen)] == [1, 2, 3, 4, 5]
    assert isinstance(events[1], EntrySeen)
    assert events[1].entry == a.entry(2, {"type": "draw"})
    assert [it.path.rsplit("/", 1)[-1] for it in peer.received] == [
        "live",
        "log?after=1&tables=true",
        "log?tables=true&cursor=2",
    ]


def test_a_log_that_does_not_close_the_gap_leads_to_a_new_connection(peer: Peer, client: NinetyEight) -> None:
    peer.script += [
        streams(SOON, entry_frame(3), stays_open=True),
        answers(200, {"items": [a.logged(1)], "next_cursor": None}),
        streams(entry_frame(2), stays_open=True),
    ]
    assert seqs(client.games.watch(GAME_ID), 2) == [1, 2]
    assert resumed_after(peer) == ["0", "1"]


def test_silence_is_a_lost_connection(
    peer: Peer, client: NinetyEight, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "SILENCE_S", 0.2)
    peer.script += [streams(SOON, entry_frame(1), stays_open=True), streams(entry_frame(2), stays_open=True)]
    assert seqs(client.games.watch(GAME_ID), 2) == [1, 2]


def test_lost_and_back_are_told_once_each(peer: Peer, client: NinetyEight) -> None:
    told: list[bool] = []
    peer.script += [
        streams(SOON, entry_frame(1)),
        *[refuses(503, "service_unavailable")] * 3,
        refuses(429, "too_many_streams", retry_after="0"),
        answers(502, b"bad gateway", content_type="text/html"),
        drops,
        streams(entry_frame(2), stays_open=True),
    ]
    assert seqs(client.games.watch(GAME_ID, connected=told.append), 2) == [1, 2]
    assert told == [True, False, True]


def test_an_old_token_is_renewed_without_a_word(peer: Peer, client: NinetyEight) -> None:
    told: list[bool] = []
    peer.script += [
        streams(entry_frame(1), frame("end", {"code": "unauthenticated", "retry_after": None})),
        refuses(401, "unauthenticated"),
        answers(200, a.tokens(2)),
        streams(entry_frame(2), stays_open=True),
    ]
    assert seqs(client.games.watch(GAME_ID, connected=told.append), 2) == [1, 2]
    assert told == [True, True]
    assert client.tokens.read() == Tokens("access-2", "refresh-2")
    assert peer.received[-1].headers["Authorization"] == "Bearer access-2"


@pytest.mark.parametrize(("status", "code"), [(404, "not_found"), (422, "validation_failed")])
def test_watching_ends_when_the_right_is_gone(
    peer: Peer, client: NinetyEight, status: int, code: str
) -> None:
    peer.script += [
        streams(SOON, entry_frame(1), frame("end", {"code": "not_found", "retry_after": None})),
        refuses(status, code),
    ]
    events = client.games.watch(GAME_ID)
    next(events)
    with pytest.raises(ApiProblem) as raised:
        next(events)
    assert raised.value.code == code


def test_a_guest_whose_invitation_ended_is_out_and_asks_for_no_new_token(peer: Peer) -> None:
    peer.script += [
        streams(entry_frame(1), frame("end", {"code": "unauthenticated", "retry_after": None})),
        refuses(401, "unauthenticated"),
    ]
    with NinetyEight(peer.url).as_guest("guest_token") as guest:
        events = guest.games.watch(GAME_ID)
        next(events)
        with pytest.raises(ApiProblem) as raised:
            next(events)
    assert raised.value.code == "unauthenticated"
    assert [it.headers["Authorization"] for it in peer.received] == ["Bearer guest_token"] * 2


def test_a_first_connection_that_fails_is_told(peer: Peer, client: NinetyEight) -> None:
    peer.script += [refuses(404, "not_found")]
    with pytest.raises(ApiProblem):
        next(client.games.watch(GAME_ID))
    with NinetyEight("http://127.0.0.1:9") as nobody, pytest.raises((NoGateway, Lost)):
        next(nobody.games.watch(GAME_ID))


@pytest.mark.parametrize(
    "senseless",
    [
        b"event: entry\ndata: {\n\n",
        b"event: entry\ndata: {}\n\n",
        b"event: presence\ndata: 5\n\n",
        b"event: end\ndata: []\n\n",
    ],
)
def test_a_stream_without_sense_is_told(peer: Peer, client: NinetyEight, senseless: bytes) -> None:
    peer.script += [streams(SOON, senseless, stays_open=True)]
    with pytest.raises(UnexpectedAnswer):
        next(client.games.watch(GAME_ID))


LAST = 12
# A connection tells so many entries after where it was asked to, leaves these out, and breaks after as many
# bytes of the next frame.
CONNECTIONS = st.lists(
    st.tuples(st.integers(0, 5), st.sets(st.integers(1, LAST), max_size=4), st.integers(0, 200)), max_size=5
)


@given(CONNECTIONS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_connections_do_the_log_is_seen_whole_and_once(
    peer: Peer, client: NinetyEight, connections: list[tuple[int, set[int], int]]
) -> None:
    left = list(connections)

    def rule(request: Received) -> Behaviour:
        if "/log?" in request.path:
            after = int(request.path.partition("after=")[2].partition("&")[0])
            rest: list[Any] = [a.logged(seq) for seq in range(after + 1, LAST + 1)]
            return answers(200, {"items": rest, "next_cursor": None})
        after = int(request.headers["Last-Event-ID"])
        if not left:
            return streams(*map(entry_frame, range(after + 1, LAST + 1)), stays_open=True)
        count, missing, cut = left.pop(0)
        told = [seq for seq in range(max(1, after - 1), min(after + count, LAST) + 1) if seq not in missing]
        return streams(SOON, *map(entry_frame, told), entry_frame(after + count + 1)[:cut])

    peer.rule = rule
    assert seqs(client.games.watch(GAME_ID), LAST) == list(range(1, LAST + 1))


@given(st.integers(1, 100), st.floats(0.01, 60), st.floats(0, 1))
def test_pauses_grow_to_a_bound_and_are_scattered(attempt: int, first_s: float, chance: float) -> None:
    pause = return_pause_s(attempt, first_s, chance)
    assert 0 < pause <= LONGEST_RETURN_S
    assert pause <= return_pause_s(attempt + 1, first_s, chance)
    assert pause >= return_pause_s(attempt, first_s, 0) / 2


def test_an_abandoned_watch_leaves_no_connection_behind(peer: Peer, client: NinetyEight) -> None:
    peer.rule = lambda _: streams(entry_frame(1), stays_open=True)
    for _ in range(3):
        events = client.games.watch(GAME_ID)
        assert isinstance(next(events), EntrySeen)
        events.close()  # type: ignore[attr-defined]
        with pytest.raises(StopIteration):
            next(events)
    assert json.dumps(resumed_after(peer)) == '["0", "0", "0"]'
