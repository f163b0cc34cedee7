"""Commands that invite to a game, list and withdraw invitations."""

import json
from datetime import datetime

import pytest

from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Peer, answers, refuses

CODE = "k" * 43
UNTIL = "2026-01-03T10:00:00Z"
MADE = {
    "id": "0190a000-0000-7000-8000-0000000000f1",
    "role": "recorder",
    "code": CODE,
    "url": f"http://127.0.0.1:8098/join#{CODE}",
    "qr": "<svg/>",
    "created_at": "2026-01-02T10:00:00Z",
    "expires_at": UNTIL,
}
LISTED = {
    "role": "viewer",
    "status": "active",
    "created_at": "2026-01-02T10:00:00Z",
    "expires_at": UNTIL,
    "revoked_at": None,
    "guests": 3,
}
WHERE = f"/v1/games/{a.GAME_ID}/invitations"
BLOCKS = set("█▀▄")


def here(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def test_an_invitation_is_told_with_everything_to_pass_on(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(201, MADE)]
    told = ninety8("invite").stdout.splitlines()
    assert told == [
        f"Invitation to enter what happens, valid until {here(UNTIL)}.",
        f"Code: {CODE}",
        f"Link: {MADE['url']}",
        "There: ninety8 join CODE, or the link. The code is shown this once.",
        f"Here: ninety8 revoke {MADE['id']} withdraws it.",
    ]
    sent = peer.received[0]
    assert (sent.method, sent.path) == ("POST", WHERE)
    assert sent.body == {"role": "recorder", "expires_in": 86_400}


def test_a_code_to_scan_is_drawn_where_it_is_asked_for(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(201, MADE)]
    drawn = [line for line in ninety8("invite", "--qr").stdout.splitlines() if BLOCKS & set(line)]
    assert len(drawn) > 15
    assert len({len(line) for line in drawn}) == 1
    assert len(drawn[0]) <= 80


@pytest.mark.parametrize(
    ("given", "seconds"), [("1m", 60), ("90m", 5400), ("24H", 86_400), ("7d", 604_800), ("30d", 2_592_000)]
)
def test_how_long_an_invitation_is_good_is_said_in_words(
    peer: Peer, ninety8: Ninety8, given: str, seconds: int
) -> None:
    peer.script += [answers(201, MADE)]
    assert ninety8("invite", "--role", "viewer", "--expires", given).exit_code == 0
    assert peer.received[0].body == {"role": "viewer", "expires_in": seconds}


@pytest.mark.parametrize("given", ["", "0m", "31d", "24", "soon", "-1h", "1w", "59s"])
def test_a_time_that_makes_no_sense_is_not_sent(peer: Peer, ninety8: Ninety8, given: str) -> None:
    assert ninety8("invite", "--expires", given).exit_code == 2
    assert peer.received == []


def test_without_plus_the_way_to_it_is_told(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [refuses(403, "plus_required")]
    result = ninety8("invite")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "Refused (plus_required): Detail of plus_required.",
        "Next: ninety8 plus redeem CODE.",
    ]


def test_for_machines_the_invitation_is_printed_whole(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [answers(201, MADE)]
    assert json.loads(ninety8("invite", "--json").stdout) == MADE


def test_invitations_are_listed(peer: Peer, ninety8: Ninety8) -> None:
    peer.script += [
        answers(200, {"items": [{**LISTED, "id": "i-1"}], "next_cursor": "c"}),
        answers(200, {"items": [{**LISTED, "id": "i-2", "status": "revoked"}], "next_cursor": None}),
    ]
    first, second = ninety8("invitations").stdout.splitlines()[1:]
    assert first.split() == ["i-1", "viewer", "active", *here(UNTIL).split(), "3"]
    assert second.split()[:3] == ["i-2", "viewer", "revoked"]
    peer.script += [answers(200, {"items": [], "next_cursor": None})]
    assert "ninety8 invite" in ninety8("invitations").stdout


def test_an_invitation_is_withdrawn_by_a_piece_of_its_id(peer: Peer, ninety8: Ninety8) -> None:
    some = [{**LISTED, "id": it} for it in ("0190-aaaa", "0190-bbbb")]
    peer.rule = lambda request: (
        answers(204) if request.method == "DELETE" else answers(200, {"items": some, "next_cursor": None})
    )
    assert ninety8("revoke", "BBBB").exit_code == 0
    assert (peer.received[-1].method, peer.received[-1].path) == ("DELETE", f"{WHERE}/0190-bbbb")
    ambiguous = ninety8("revoke", "0190")
    assert ambiguous.exit_code == 1
    assert "2 invitations match 0190" in ambiguous.stderr
    assert "No invitations match cccc" in ninety8("revoke", "cccc").stderr
