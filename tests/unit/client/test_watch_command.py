"""What `ninety8 watch` shows: each entry as a sentence with its author, the piles after it, who watches."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gateway.client.home import Home
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.documents import GAME_ID, entry_frame, frame
from tests.unit.client.peer import Behaviour, Peer, Received, answers, refuses, streams

PILES = "      up1 ↑1  up2 ↑1  down1 ↓100  down2 ↓100  · deck 84 · 98 left"
OVER = frame("end", {"code": "not_found", "retry_after": None})
SOON = b"retry: 10\n\n"


def gateway(*connections: Behaviour, log: tuple[dict[str, Any], ...] = (), **game: Any) -> Any:
    """A gateway whose game's live stream is each of `connections`, and then gone."""
    left = list(connections)

    def rule(request: Received) -> Behaviour:
        if request.path.endswith("/live"):
            return left.pop(0) if left else refuses(404, "not_found")
        if request.path.endswith("/access"):
            return answers(200, a.access())
        if "/log" in request.path:
            return answers(200, {"items": list(log), "next_cursor": None})
        return answers(200, a.game(**game))

    return rule


def told(ninety8: Ninety8, *words: str) -> list[str]:
    """What is told after the heading, until the game is gone."""
    result = ninety8("watch", *words)
    assert result.exit_code == 1
    assert "Refused (not_found)" in result.stderr
    return result.stdout.splitlines()[2:]


def sentences(ninety8: Ninety8, *words: str) -> list[str]:
    return [line for line in told(ninety8, "--from-start", *words) if line != PILES]


def test_each_entry_is_a_sentence_with_its_author_and_the_piles(peer: Peer, ninety8: Ninety8) -> None:
    by = {"account_id": None, "guest_id": "0190a000-0000-7000-8000-00000000face"}
    peer.rule = gateway(
        streams(
            entry_frame(3, {"type": "play", "pile": "up1", "card": 17}, table={"active_seat": 1}, by=by),
            entry_frame(
                4,
                {"type": "draw"},
                instructions=[{"kind": "draw", "seat": 1, "count": 2}],
                by={**by, "device": "Ben's phone\x1b"},
            ),
            entry_frame(5, {"type": "end_turn"}, instructions=[{"kind": "next_player", "seat": 0}]),
            OVER,
        ),
        version=2,
    )
    assert told(ninety8) == [
        PILES.strip(),
        "Ana lays at least 2 cards.",
        "   3  Ben lays 17 on up1.  · guest face",
        PILES,
        "   4  Ben draws 2 cards.  · guest (Ben's phone\N{REPLACEMENT CHARACTER})",
        PILES,
        "   5  The turn ends. Next: Ana.  · you",
        PILES,
    ]
    assert peer.received[-2].headers["Last-Event-ID"] == "2"


def test_undo_and_redo_say_what_they_mean(peer: Peer, ninety8: Ninety8) -> None:
    back = [{"kind": "take_back", "seat": 0, "pile": "up1", "card": 17}]
    peer.rule = gateway(
        streams(
            entry_frame(2, {"type": "undo", "target": "id-1"}, instructions=back),
            entry_frame(3, {"type": "redo", "target": "id-1"}),
            entry_frame(4, {"type": "undo", "target": "unheard of"}),
            OVER,
        ),
        log=(a.entry(1, {"type": "play", "pile": "up1", "card": 17}),),
        version=1,
    )
    assert told(ninety8)[2::2] == [
        "   2  Undone: 17 on up1. Ana takes 17 back from up1.  · you",
        "   3  Done again: 17 on up1.  · you",
        "   4  Undone: the last action.  · you",
    ]


def test_a_block_its_result_and_its_undoing_stand_out(peer: Peer, ninety8: Ninety8) -> None:
    blocked = {"status": "blocked", "remaining": 12}
    lost = a.result("loss", 12, "counted")
    peer.rule = gateway(
        streams(
            entry_frame(1, {"type": "block"}, table=blocked, instructions=[{"kind": "result"}]),
            entry_frame(2, {"type": "confirm"}, table=blocked | {"status": "finished"}, result=lost),
            entry_frame(3, {"type": "undo", "target": "id-2"}, table=blocked),
            entry_frame(4, {"type": "undo", "target": "id-1"}),
            OVER,
        )
    )
    shown = [line for line in sentences(ninety8) if "deck" not in line]
    assert shown == [
        "   1  Ana cannot lay enough.  · you",
        "      Blocked with 12 cards left: confirm the result, or undo.",
        "   2  The result is confirmed.  · you",
        "      The game is over. Lost: 12 cards left.",
        "   3  Undone: result confirmed.  · you",
        "      Blocked with 12 cards left: confirm the result, or undo.",
        "   4  Undone: block declared.  · you",
        "      The game goes on.",
    ]
    assert peer.received[-2].headers["Last-Event-ID"] == "0"


def test_who_watches_is_told_where_it_changes(peer: Peer, ninety8: Ninety8) -> None:
    mine = a.device(streams=2)
    guest = a.device("viewer", account_id=None, guest_id="0190face", device="Ben's phone")
    peer.rule = gateway(
        streams(*[frame("presence", {"devices": [mine]})] * 2, frame("presence", {"devices": [mine, guest]})),
        streams(frame("presence", {"devices": [guest, mine]}), OVER),
    )
    assert sentences(ninety8) == [
        "      Watching: you ×2.",
        "      Watching: you ×2, guest (Ben's phone) as viewer.",
    ]


def test_a_lost_connection_is_told_once_and_its_return_too(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway(
        streams(SOON, entry_frame(1)),
        refuses(503, "service_unavailable"),
        refuses(503, "service_unavailable"),
        streams(entry_frame(2), OVER),
    )
    result = ninety8("watch", "--from-start")
    assert [line[:6].strip() for line in result.stdout.splitlines()[2:]] == ["1", "", "2", ""]
    assert [line.strip() for line in result.stderr.splitlines()[:2]] == [
        "Connection lost, coming back …",
        "Back.",
    ]


def test_the_whole_table_is_shown_where_it_is_asked_for(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway(streams(entry_frame(1), OVER))
    assert "Hands: Ana 7 · Ben 7" in told(ninety8, "--from-start", "--table")


def test_for_machines_each_event_is_a_document_on_a_line(peer: Peer, ninety8: Ninety8) -> None:
    devices = [a.device()]
    peer.rule = gateway(streams(entry_frame(8), frame("presence", {"devices": devices}), OVER), version=7)
    first, second = map(json.loads, ninety8("watch", "--json").stdout.splitlines())
    assert first == {
        "event": "entry", "entry": a.entry(8, {"type": "draw"}), "table": a.table(), "result": None,
    }  # fmt: skip
    assert second == {"event": "presence", "devices": devices}


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_ctrl_c_ends_watching_without_a_complaint(peer: Peer, home: Home, words: tuple[str, ...]) -> None:
    peer.rule = gateway(streams(entry_frame(1), stays_open=True))
    command = [sys.executable, "-m", "gateway.client", "watch", "--from-start", "--url", peer.url, *words]
    with subprocess.Popen(
        command,
        cwd=Path(__file__).parents[3],
        env=os.environ | {"NINETY8_HOME": str(home.directory)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "deck" in line:
                break
        process.send_signal(signal.SIGINT)
        rest, complaint = process.communicate(timeout=20)
    assert process.returncode == 0
    assert complaint == ""
    assert rest.strip() == (
        "" if words else "No longer watching. `ninety8 watch` goes on, `ninety8 show` shows the table."
    )


def test_a_guest_s_entries_are_marked_in_the_log(peer: Peer, ninety8: Ninety8) -> None:
    by = {"account_id": None, "guest_id": "0190face"}
    log = (
        a.entry(1, {"type": "draw"}, by={**by, "device": "Ben's phone"}),
        a.entry(2, {"type": "draw"}, by=by, effective=False),
        a.entry(3, {"type": "draw"}, by={"account_id": "acc", "device": "Ana's phone"}),
    )
    peer.rule = gateway(log=log)
    assert ninety8("log", "--game", GAME_ID).stdout.splitlines() == [
        "   1  draw · guest (Ben's phone)",
        "   2  draw · guest face  [undone]",
        "   3  draw",
    ]
