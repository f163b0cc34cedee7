"""Looking at a game that is told in two ways, deciding, reopening a side; and what was parked."""

import json
from typing import Any

import pytest

from gateway.client.rendering.text import printable
from tests.unit.client import branches as b
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Behaviour, Peer, Received, answers, refuses

DECISION = f"/v1/conflicts/{b.CONFLICT_ID}/decision"
EMPTY: dict[str, Any] = {"items": [], "next_cursor": None}


def gateway(conflict: dict[str, Any] | None = None, decision: Behaviour | None = None) -> Any:
    found = conflict or b.conflict()

    def rule(request: Received) -> Behaviour:
        if request.path.endswith("/decision"):
            return decision or answers(200, a.game(version=2))
        if request.path.endswith("/reopen"):
            return answers(201, a.game(id=request.body["id"], version=1))
        if request.path.startswith("/v1/conflicts/"):
            return answers(200, found)
        if request.path.startswith("/v1/conflicts"):
            return answers(200, {"items": [found], "next_cursor": None})
        if "/log" in request.path:
            return answers(200, {"items": [b.resolved()], "next_cursor": None})
        if request.path.endswith("/access"):
            return answers(200, a.access())
        return answers(200, a.game())

    return rule


def test_conflicts_are_listed(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    (row,) = ninety8("conflicts", "--status", "needs_decision").stdout.splitlines()[1:]
    assert row.split()[:6] == [b.CONFLICT_ID, a.GAME_ID[-12:], "cellar", "waits", "for", "a"]
    assert peer.received[0].path == "/v1/conflicts?status=needs_decision"
    peer.rule = lambda _: answers(200, EMPTY)
    assert "No game is told in two ways." in ninety8("conflicts").stdout


def test_a_conflict_shows_both_sides_what_is_asked_and_what_each_choice_costs(
    peer: Peer, ninety8: Ninety8
) -> None:
    peer.rule = gateway()
    told = ninety8("conflict", "c0de").stdout.splitlines()
    short = b.CONFLICT_ID[-12:]
    assert told[0] == f"Conflict {b.CONFLICT_ID}: waits for a decision."
    assert [line.partition(" at ")[0] for line in told if ", last by" in line] == [
        "In the shared game (cloud), last by you (kitchen)",
        "On the offline device, last by you (cellar)",
    ]
    assert [line for line in told if line.endswith(", the newer:")] == [told[5]]
    for line in (
        "   1  12 on up1",
        "   -  12 on up2",
        "They part.",
        "They part in turn 1 (Ana): cloud 12 on up1, device 12 on up2.",
        "  Which?",
        f"  ninety8 decide {short} cloud: Loses one.",
        f"  ninety8 decide {short} device: Loses another.",
        f"  ninety8 decide {short} table --up1 CARD --up2 CARD: the game goes on from what you see there.",
    ):
        assert line in told
    assert not [line for line in told if "merged" in line]


def test_where_both_fit_in_one_way_that_is_offered(peer: Peer, ninety8: Ninety8) -> None:
    story = {"base_version": 0, "actions": [], "table": a.table(), "result": None}
    peer.rule = gateway(b.conflict(proposal=story))
    assert "merged: both stories fit together in one way" in ninety8("conflict", "c0de").stdout


def test_what_a_device_was_refused_is_marked(peer: Peer, ninety8: Ninety8) -> None:
    refused = {"action": {"type": "draw"}, "at": None, "outcome": a.outcome("rejected", code="already_drawn")}
    peer.rule = gateway(b.conflict(device=b.side(None, entries=[refused])))
    assert "   -  draw  [refused: already_drawn]" in ninety8("conflict", "c0de").stdout


def test_nothing_that_others_wrote_steers_the_terminal(peer: Peer, ninety8: Ninety8) -> None:
    evil = "\x1b[2J"
    texts = {"summary": evil, "keep_cloud": evil, "keep_device": evil}
    asked = [{**b.conflict()["questions"][0], "text": evil}]
    peer.rule = gateway(b.conflict(text=texts, questions=asked, device=b.side(evil)))
    for words in (("conflict", "c0de"), ("conflicts",)):
        assert all(map(printable, ninety8(*words).stdout))
        assert evil not in ninety8(*words).stdout


def test_a_conflict_that_is_not_looked_at_yet_is_told_without_what_is_not_known(
    peer: Peer, ninety8: Ninety8
) -> None:
    nothing = {"summary": None, "keep_cloud": None, "keep_device": None}
    side = b.side(None, by=None, at=None, table=None)
    changes: Any = {"first_difference": None, "questions": [], "text": nothing, "cloud": side}
    peer.rule = gateway(b.conflict("pending", **changes))
    told = ninety8("conflict", "c0de")
    assert told.exit_code == 0, told.output
    assert "being compared" in told.stdout
    assert "None" not in told.stdout


@pytest.mark.parametrize("choice", ["cloud", "device", "merged"])
def test_a_decision_is_told_with_the_way_back(peer: Peer, ninety8: Ninety8, choice: str) -> None:
    peer.rule = gateway()
    told = ninety8("decide", "c0de", choice).stdout
    assert told.startswith("Decided: ")
    assert "`ninety8 undo` takes the decision back." in told
    assert f"ninety8 reopen {b.CONFLICT_ID[-12:]} cloud" in told
    (sent,) = [it.body for it in peer.received if it.path == DECISION]
    assert sent == {"choice": choice}


def test_a_decision_is_about_what_was_looked_at(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway(b.conflict(cloud_version=4))
    for words in (("conflict", "c0de"), ("--json", "conflict", "c0de")):
        ninety8(*words)
        peer.received.clear()
        ninety8("decide", "c0de", "cloud")
        assert peer.received[-1].path == DECISION
        assert peer.received[-1].body == {"choice": "cloud", "expected_version": 4}


def test_where_the_game_went_on_nothing_is_decided_and_it_is_shown_as_it_is_now(
    peer: Peer, ninety8: Ninety8
) -> None:
    missed = [a.entry(2, {"type": "play", "pile": "down1", "card": 70})]
    moved = refuses(409, "version_conflict", version=2, missed=missed, conflict=b.conflict(cloud_version=2))
    peer.rule = gateway(decision=moved)
    told = ninety8("decide", "c0de", "device")
    assert told.exit_code == 1
    assert "nothing is decided yet" in told.stdout
    assert "Choose:" in told.stdout
    assert "   2  70 on down1" in told.stderr
    peer.rule = gateway()
    peer.received.clear()
    ninety8("decide", "c0de", "device")
    assert peer.received[-1].body["expected_version"] == 2


def test_only_what_the_sides_show_differently_has_to_be_said(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    told = ninety8("decide", "c0de", "table", "--up1", "1")
    assert told.exit_code == 2
    assert "say also: --up2 (1 or 12)." in told.stderr
    assert [it for it in peer.received if it.path == DECISION] == []
    assert ninety8("decide", "c0de", "table", "--up1", "1", "--up2", "?", "--seat", "ben").exit_code == 0
    assert peer.received[-1].body["table"] == {
        "piles": {"up1": 1, "up2": None, "down1": 100, "down2": 100},
        "deck": 84,
        "hands": [7, 7],
        "active_seat": 1,
    }


@pytest.mark.parametrize(
    "words",
    [
        ("cloud", "--up1", "7"),
        ("table", "--hands", "six"),
        ("table", "--up1", "x"),
        ("table", "--up1", "1", "--up2", "2", "--seat", "Cid"),
        ("both",),
    ],
)
def test_a_decision_that_cannot_be_understood_is_not_sent(
    peer: Peer, ninety8: Ninety8, words: tuple[str, ...]
) -> None:
    peer.rule = gateway()
    assert ninety8("decide", "c0de", *words).exit_code == 2
    assert [it for it in peer.received if it.method == "POST"] == []


def test_a_conflict_decided_otherwise_leads_to_that_decision(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway(decision=refuses(409, "conflict_settled"))
    told = ninety8("decide", "c0de", "cloud")
    assert "ninety8 undo takes that decision back" in told.stderr


def test_a_side_is_reopened_as_a_game_of_its_own(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    told = ninety8("reopen", "c0de", "device")
    made = peer.received[-1].body
    assert made["side"] == "device"
    assert f"ninety8 use {made['id']}" in told.stdout


def test_an_unknown_piece_of_an_id_leads_to_the_list(peer: Peer, ninety8: Ninety8) -> None:
    peer.rule = gateway()
    assert "No conflicts match beef. See `ninety8 conflicts`." in ninety8("conflict", "beef").stderr


PARKED = {
    "action_id": "0190a000-0000-7000-8000-00000000000a",
    "action": {"type": "play", "pile": "up1", "card": 12},
    "code": "illegal_play",
    "by": {"account_id": "acc", "device": "cellar"},
    "at": "2026-01-02T10:40:00Z",
    "parked_at": "2026-01-02T10:41:00Z",
}


def test_what_was_refused_is_listed_with_its_reason_and_put_away(peer: Peer, ninety8: Ninety8) -> None:
    def rule(request: Received) -> Behaviour:
        if request.path.startswith("/problems/"):
            return answers(200, {"detail": "It does not fit."})
        if request.path.endswith("/access"):
            return answers(200, a.access())
        return answers(204) if request.method == "DELETE" else answers(200, {**EMPTY, "items": [PARKED]})

    peer.rule = rule
    told = ninety8("parked").stdout.splitlines()
    assert told[0].startswith(f"{PARKED['action_id']}  12 on up1  (illegal_play) · you (cellar), ")
    assert told[1] == "    It does not fit."
    assert "ninety8 unpark ACTION" in told[2]
    assert ninety8("unpark", "000A").exit_code == 0
    assert peer.received[-1].path == f"/v1/games/{a.GAME_ID}/parked/{PARKED['action_id']}"
    assert json.loads(ninety8("parked", "--json").stdout)["items"] == [PARKED]
    peer.rule = lambda _: answers(200, EMPTY)
    assert "Nothing is parked" in ninety8("parked").stdout
