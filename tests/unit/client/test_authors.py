"""Who entered what, as each reader is told in the log, of what was refused or missed, and in conflicts."""

from typing import Any

import pytest

from gateway.client.home import Home
from gateway.client.joined import Joined, JoinedGames
from gateway.client.rendering.authors import NOBODY, Viewpoint, author, author_mark
from tests.unit.client import branches as b
from tests.unit.client import documents as a
from tests.unit.client.command import Ninety8
from tests.unit.client.peer import Behaviour, Peer, Received, answers, refuses

OWNER, SHARER, GUEST = "0190-0a0a", "0190-5b5b", "0190-face"
AUTHORS: list[dict[str, Any]] = [
    {"account_id": OWNER, "device": None},
    {"account_id": SHARER, "device": None},
    {"account_id": None, "guest_id": GUEST, "device": None},
]
LOG = [a.entry(seq, {"type": "draw"}, by=by) for seq, by in enumerate(AUTHORS, 1)]
SEEN_BY = {
    OWNER: ["", " · account 5b5b", " · guest face"],
    SHARER: ["", " · you", " · guest face"],
    GUEST: ["", " · account 5b5b", " · you"],
}
TOLD_TO = {
    OWNER: ["you", "account 5b5b", "guest face"],
    SHARER: ["the owner", "you", "guest face"],
    GUEST: ["the owner", "account 5b5b", "you"],
}


def gateway(reader: str) -> Any:
    """A gateway where `reader` has the game of `OWNER`; its conflict is the owner's against the sharer's."""
    is_guest = reader == GUEST
    role = {OWNER: "owner", SHARER: "recorder", GUEST: "viewer"}[reader]
    mine = {"account_id": None if is_guest else reader, "guest_id": GUEST if is_guest else None}
    found = b.conflict(
        cloud=b.side(None, by=AUTHORS[0], entries=LOG), device=b.side(None, by=AUTHORS[1], entries=[])
    )

    def rule(request: Received) -> Behaviour:
        if is_guest and request.headers["Authorization"] != "Bearer guest_t":
            return refuses(404, "not_found")
        if request.path.endswith("/access"):
            return answers(200, a.access(role, owner_id=OWNER, **mine))
        if "/log" in request.path:
            return answers(200, {"items": LOG, "next_cursor": None})
        if request.path.endswith("/parked"):
            return answers(200, {"items": [parked(by) for by in AUTHORS], "next_cursor": None})
        if request.path.startswith("/v1/conflicts/"):
            moved = refuses(409, "version_conflict", missed=LOG, conflict=found)
            return moved if request.method == "POST" else answers(200, found)
        if request.path.startswith("/v1/conflicts"):
            return answers(200, {"items": [found], "next_cursor": None})
        if request.path.endswith("/actions"):
            return refuses(409, "version_conflict", missed=LOG)
        return answers(200, a.game())

    return rule


def parked(by: dict[str, Any]) -> dict[str, Any]:
    when = "2026-01-02T10:40:00Z"
    action = {"type": "draw"}
    return {
        "action_id": "x",
        "action": action,
        "code": "already_drawn",
        "by": by,
        "at": when,
        "parked_at": when,
    }


@pytest.fixture(params=[OWNER, SHARER, GUEST], ids=["owner", "sharer", "guest"])
def reader(request: pytest.FixtureRequest, peer: Peer, home: Home) -> str:
    """Whoever reads at this machine."""
    found: str = request.param
    peer.rule = gateway(found)
    if found == GUEST:
        joined = Joined(a.GAME_ID, "guest_t", "viewer", "2026-01-03T10:00:00Z", GUEST)
        JoinedGames(home, peer.url).keep(joined)
    else:
        home.remember_account(peer.url, found)
        home.use_game(peer.url, a.GAME_ID)
    return found


def marked(reader: str) -> list[str]:
    return [f"{seq:>4}  draw{mark}" for seq, mark in enumerate(SEEN_BY[reader], 1)]


def test_the_log_marks_whoever_is_not_the_owner(ninety8: Ninety8, reader: str) -> None:
    assert ninety8("log").stdout.splitlines() == marked(reader)


def test_what_was_refused_names_whose_it_was(ninety8: Ninety8, reader: str) -> None:
    lines = [line for line in ninety8("parked").stdout.splitlines() if line.startswith("x ")]
    assert [line.partition(" · ")[2].partition(",")[0] for line in lines] == TOLD_TO[reader]


def test_what_was_missed_marks_whoever_is_not_the_owner(ninety8: Ninety8, reader: str) -> None:
    told = ninety8("draw", "--expect", "0").stderr.splitlines()
    assert told[2:5] == marked(reader)


@pytest.mark.parametrize("words", [("conflict", "c0de"), ("decide", "c0de", "cloud")])
def test_a_conflict_names_who_recorded_which_side(
    peer: Peer, ninety8: Ninety8, home: Home, words: tuple[str, ...]
) -> None:
    for reader in (OWNER, SHARER):
        home.remember_account(peer.url, reader)
        peer.rule = gateway(reader)
        result = ninety8(*words)
        heads = [line.partition(" at ")[0] for line in result.stdout.splitlines() if ", last by" in line]
        assert heads == [
            f"In the shared game (cloud), last by {TOLD_TO[reader][0]}",
            f"On the offline device, last by {TOLD_TO[reader][1]}",
        ]
        for shown in [result.stdout] + ([result.stderr] if words[0] == "decide" else []):
            assert [line for line in shown.splitlines() if line[:4].strip().isdecimal()] == marked(reader)


def test_a_guest_who_is_signed_in_too_is_both(peer: Peer, ninety8: Ninety8, home: Home) -> None:
    joined = Joined(a.GAME_ID, "guest_t", "recorder", "2026-01-03T10:00:00Z", GUEST)
    JoinedGames(home, peer.url).keep(joined)
    home.remember_account(peer.url, SHARER)
    home.use_game(peer.url, a.GAME_ID)
    peer.rule = gateway(SHARER)
    assert ninety8("log").stdout.splitlines() == ["   1  draw", "   2  draw · you", "   3  draw · you"]


@pytest.mark.parametrize(
    ("by", "told"),
    [
        ({"account_id": "ana"}, "the owner"),
        ({"account_id": "ben"}, "you"),
        ({"account_id": "0190-77c0", "device": None}, "account 77c0"),
        ({"account_id": "cid", "device": "Cid's phone"}, "account (Cid's phone)"),
        ({"account_id": None, "guest_id": "0190-4f2a"}, "guest 4f2a"),
    ],
)
def test_who_entered_something_is_told_apart(by: dict[str, Any], told: str) -> None:
    viewpoint = Viewpoint("ben", None, "ana")
    assert author(by, viewpoint) == told
    assert author_mark(by, viewpoint) == ("" if told == "the owner" else f" · {told}")


def test_where_the_owner_is_not_known_only_guests_are_marked() -> None:
    assert [author_mark(by, NOBODY) for by in AUTHORS] == ["", "", " · guest face"]
