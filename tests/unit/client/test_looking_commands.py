"""Commands that list, show and judge."""

import json
from pathlib import Path

import pytest

from gateway.client.home import Home
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Peer, answers


def test_a_game_is_picked_by_the_end_of_its_id(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    others = [a.game(), a.game(id="0190a000-0000-7000-8000-00000000abcd")]
    peer.script += [answers(200, {"items": others, "next_cursor": None}), answers(200, others[1])]
    assert ninety8("use", "ABCD").exit_code == 0
    assert home.current_game(peer.url) == others[1]["id"]
    peer.script += [answers(200, {"items": others, "next_cursor": None})]
    ambiguous = ninety8("use", "0190a000")
    assert ambiguous.exit_code == 1
    assert "2 games match" in ambiguous.stderr


def test_showing_an_earlier_moment_asks_for_its_last_entry_too(peer: Peer, ninety8: Ninety8) -> None:
    back = {"kind": "next_player", "seat": 1}
    page = {"items": [a.entry(4, {"type": "end_turn"}, instructions=[back])], "next_cursor": None}
    peer.script += [answers(200, a.game(version=4)), answers(200, page)]
    assert "Last instruction: Next: Ben." in ninety8("show", "--at", "4").stdout
    assert [request.path.rsplit("/", 1)[-1] for request in peer.received] == [
        f"{a.GAME_ID}?at=4",
        "log?after=3&limit=1",
    ]


def test_a_log_is_printed_for_people_and_for_machines(peer: Peer, ninety8: Ninety8) -> None:
    entries = [a.entry(1, {"type": "play", "pile": "up1", "card": 17}), a.entry(2, {"type": "draw"})]
    page = answers(200, {"items": entries, "next_cursor": None})
    peer.script += [page, answers(200, a.game()), answers(200, a.access())]
    assert ninety8("log").stdout.splitlines() == ["   1  17 on up1", "   2  draw"]
    lines = "".join(json.dumps(item) + "\n" for item in entries)
    peer.script += [answers(200, lines.encode(), content_type="application/x-ndjson")]
    assert [json.loads(line) for line in ninety8("log", "--ndjson").stdout.splitlines()] == entries


def test_the_bin_is_listed_and_emptied_by_restoring(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [
        answers(204),
        answers(200, {"items": [a.game()], "next_cursor": None}),
        answers(200, a.game()),
    ]
    assert "ninety8 restore" in ninety8("bin").stdout
    assert a.GAME_ID in ninety8("games", "--bin").stdout
    assert "Restored: Ana, Ben" in ninety8("restore").stdout
    assert [f"{request.method} {request.path}" for request in peer.received] == [
        f"DELETE /v1/games/{a.GAME_ID}",
        "GET /v1/games?bin=true",
        f"POST /v1/games/{a.GAME_ID}/restore",
    ]


def test_players_are_meant_by_their_names(peer: Peer, ninety8: Ninety8) -> None:
    saved = answers(
        200, {"items": [{"id": "p1", "name": "Ana"}, {"id": "p2", "name": "Anna"}], "next_cursor": None}
    )
    peer.script += [saved, saved, answers(200, {"id": "p2", "name": "Anna"})]
    assert ninety8("players", "merge", "Anna", "ana").exit_code == 0
    assert (peer.received[-1].path, peer.received[-1].body) == ("/v1/players/p2/merge", {"into": "p1"})
    peer.script += [saved]
    unknown = ninety8("players", "archive", "Cid")
    assert unknown.exit_code == 1
    assert "No saved player is called Cid" in unknown.stderr


def test_an_evaluation_with_a_refused_action_exits_with_1(
    peer: Peer, ninety8: Ninety8, tmp_path: Path
) -> None:
    file = tmp_path / "log.json"
    body = {"options": {"players": 2}, "actions": [{"type": "play", "pile": "up1", "card": 3}]}
    file.write_text(json.dumps(body))
    found = {"start": a.table(), "outcomes": [a.outcome("rejected", code="illegal_play")], "table": a.table()}
    peer.script += [answers(200, found)]
    result = ninety8("evaluate", str(file))
    assert result.exit_code == 1
    assert "1 actions: 0 accepted, 1 refused." in result.stdout
    assert peer.received[0].body == body


@pytest.mark.parametrize("content", ["", "[]", '{"options": {}}', '{"options": {}, "actions": 5}'])
def test_a_file_that_holds_no_log_is_not_sent(peer: Peer, ninety8: Ninety8, content: str) -> None:
    assert ninety8("evaluate", "-", stdin=content).exit_code == 2
    assert peer.received == []
